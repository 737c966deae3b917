import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button';
import { Logo } from '../ui/logo';
import { AcceptInvitation } from './accept-invitation';
import { GuidesLink } from './guides-link';
import { isInvitationPage } from './invitation-link';
import { isResetPage } from './reset-link';
import { ResetPassword } from './reset-password';
import { SignInForm } from './sign-in-form';

export function SignInPage(): ReactNode {
  const [isInvited, setInvited] = useState(isInvitationPage);
  const [isReset, setReset] = useState(isResetPage);
  return (
    <main className="grid min-h-full place-items-center px-4 py-10">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-3">
          <Logo className="size-9" />
          <div>
            <h1 className="text-xl font-semibold">Switchyard</h1>
            <p className="text-faint">Agents, tasks, events and data in one place.</p>
          </div>
        </div>
        <div className="card grid gap-3 p-5">
          {isReset ? (
            <ResetPassword onDone={() => setReset(false)} />
          ) : (
            <>
              {isInvited ? <AcceptInvitation /> : <SignInForm />}
              <Button look="ghost" onClick={() => setInvited(!isInvited)}>
                {isInvited ? 'Sign in with an account that I have' : 'I have an invitation'}
              </Button>
            </>
          )}
        </div>
        <GuidesLink className="mt-4" />
      </div>
    </main>
  );
}
