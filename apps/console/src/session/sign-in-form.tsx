import { type SyntheticEvent, type ReactNode, useState } from 'react';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { messageOf } from '../ui/errors';
import { auth } from './console-auth';

interface Props {
  email?: string;
  spaceId?: string;
  onDone?: () => void;
}

export function SignInForm({ email: known = '', spaceId, onDone }: Props): ReactNode {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await auth.signIn(email, password, spaceId);
      onDone?.();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <TextField label="E-mail" type="email" autoComplete="username" value={email} onChange={setEmail} required />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        required
      />
      {problem !== null && (
        <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-bad">
          {problem}
        </p>
      )}
      <Button type="submit" look="primary" isBusy={isBusy} className="w-full">
        Sign in
      </Button>
    </form>
  );
}
