import type { ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Dialog } from '../ui/dialog';
import { auth } from './console-auth';
import { SignInForm } from './sign-in-form';

/** The page behind it keeps what was typed into it. */
export function SignInAgain({ email, spaceId }: { email: string; spaceId: string | null }): ReactNode {
  const queries = useQueryClient();
  return (
    <Dialog
      open
      isFixed
      title="Sign in again"
      description="Your session has ended. What you were doing is still here."
      onClose={() => undefined}
    >
      <SignInForm
        email={email}
        {...(spaceId === null ? {} : { spaceId })}
        onDone={() => void queries.invalidateQueries()}
        onSignOut={() => void auth.signOut()}
      />
    </Dialog>
  );
}
