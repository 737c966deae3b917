import { type ReactNode, useState } from 'react';
import { ConsoleSession } from '@switchyard/client';
import { problemOf } from '../ui/errors';
import { TextField } from '../ui/field';
import { Form } from '../ui/form';
import { resetToken } from './reset-link';

/** Sets a new password with the link that an operator has made. All sign-ins of the person end with it. */
export function ResetPassword({ onDone }: { onDone: () => void }): ReactNode {
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const reset = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const session = new ConsoleSession({ baseUrl: window.location.origin });
      await session.resetPassword({ token: resetToken(), password });
      window.history.replaceState(window.history.state, '', '/console/');
      onDone();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  const differs = repeated !== '' && repeated !== password;
  return (
    <Form
      submit="Set password"
      isBusy={isBusy}
      error={error}
      onSubmit={reset}
      canSubmit={password !== '' && repeated === password}
    >
      <p className="text-soft">Choose a new password. You are signed out everywhere when it is set.</p>
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
