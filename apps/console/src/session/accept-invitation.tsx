import { type ReactNode, useState } from 'react';
import { problemOf } from '../ui/errors';
import { TextField } from '../ui/field';
import { Form } from '../ui/form';
import { auth } from './console-auth';
import { givenToken, tokenIn } from './invitation-link';

/** Makes an account of the invitation, with a password that the person chooses. */
export function AcceptInvitation(): ReactNode {
  const [invitation, setInvitation] = useState(givenToken);
  const [isGiven] = useState(invitation !== '');
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const accept = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await auth.acceptInvitation({ token: tokenIn(invitation), password });
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  const differs = repeated !== '' && repeated !== password;
  return (
    <Form
      submit="Join the Space"
      isBusy={isBusy}
      error={error}
      onSubmit={accept}
      canSubmit={invitation !== '' && password !== '' && repeated === password}
    >
      <p className="text-soft">You are invited to a Space. Choose a password for your account in it.</p>
      {!isGiven && <InvitationField value={invitation} onChange={setInvitation} error={error} />}
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

interface FieldProps {
  value: string;
  onChange: (value: string) => void;
  error: unknown;
}

export const InvitationField = ({ value, onChange, error }: FieldProps): ReactNode => (
  <TextField
    label="Invitation"
    isCode
    value={value}
    onChange={onChange}
    problem={problemOf(error, 'token')}
    hint="The link or the token that you were given."
  />
);
