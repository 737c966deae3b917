import { type SyntheticEvent, type ReactNode, useState } from 'react';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { Refusal } from '../ui/note';
import { auth } from './console-auth';

interface Props {
  email?: string;
  spaceId?: string;
  onDone?: () => void;
  /** Leaves the page for good, where signing in again is no way on. */
  onSignOut?: () => void;
}

/** With a given address it is that person's password alone: the page behind belongs to them. */
export function SignInForm({ email: existing, spaceId, onDone, onSignOut }: Props): ReactNode {
  const [email, setEmail] = useState(existing ?? '');
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await auth.signIn(email, password, spaceId);
      onDone?.();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        value={email}
        onChange={setEmail}
        readOnly={existing !== undefined}
        required
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        required
      />
      <Refusal error={problem} />
      <Button type="submit" look="primary" isBusy={isBusy} className="w-full">
        Sign in
      </Button>
      {onSignOut && (
        <Button look="ghost" onClick={onSignOut}>
          Sign out
        </Button>
      )}
    </form>
  );
}
