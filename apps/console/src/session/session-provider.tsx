import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { SessionContext } from './session-context';
import { auth } from './console-auth';
import { SignInPage } from './sign-in';
import { SignInAgain } from './sign-in-again';

/** Nothing of the console is shown to somebody who is not signed in. */
export function SessionProvider({ children }: { children: ReactNode }): ReactNode {
  const state = useSyncExternalStore(auth.subscribe, auth.current);
  const queries = useQueryClient();
  useEffect(() => void auth.start(), []);
  const signedOut = state.status === 'signed-out';
  useEffect(() => {
    if (signedOut) queries.clear();
  }, [signedOut, queries]);
  if (state.status === 'starting') return <div role="status" aria-label="Signing in" />;
  if (state.status === 'signed-out') return <SignInPage />;
  return (
    <SessionContext value={{ client: auth.client, user: state.user, space: state.space }}>
      {children}
      {state.status === 'expired' && <SignInAgain email={state.user.email} spaceId={state.space.id} />}
    </SessionContext>
  );
}
