import { type ReactNode, useState } from 'react';
import { problemOf } from '../ui/errors';
import { TextField } from '../ui/field';
import { Form } from '../ui/form';

interface Props {
  /** The button that sends it. */
  submit: string;
  text: string;
  onSubmit: (password: string) => Promise<void>;
  canSubmit?: boolean;
  /** Above the password, with what was wrong with it. */
  above?: (error: unknown) => ReactNode;
}

/** A password that a person chooses, and repeats. */
export function NewPasswordForm({ submit, text, onSubmit, canSubmit = true, above }: Props): ReactNode {
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await onSubmit(password);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  const differs = repeated !== '' && repeated !== password;
  return (
    <Form
      submit={submit}
      isBusy={isBusy}
      error={error}
      onSubmit={send}
      canSubmit={canSubmit && password !== '' && repeated === password}
    >
      <p className="text-soft">{text}</p>
      {above?.(error)}
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        problem={problemOf(error, 'password')}
        hint="12 characters or more."
      />
      <TextField
        label="Repeat password"
        type="password"
        autoComplete="new-password"
        value={repeated}
        onChange={setRepeated}
        problem={differs ? 'The passwords differ.' : undefined}
      />
    </Form>
  );
}
