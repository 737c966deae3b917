import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { newQueries } from '../api/queries';
import { ErrorState, Loading } from '../ui/states';
import { auth, identityKey } from './console-auth';
import { SwitchedSpace } from './switched-space';
import { hasSpace, type Session, SessionContext } from './session-context';
import { SignInPage } from './sign-in';
import { SignInAgain } from './sign-in-again';

/** The console is shown to those who are signed in alone. */
export function SessionProvider({ children }: { children: ReactNode }): ReactNode {
  const state = useSyncExternalStore(auth.subscribe, auth.current);
  useEffect(() => void auth.start(), []);
  switch (state.status) {
    case 'starting':
      return <Loading label="Signing in" lines={6} />;
    case 'unreachable':
      return (
        <main className="grid min-h-full content-center">
          <h1 className="sr-only">Switchyard</h1>
          <ErrorState error={state.error} onRetry={() => void auth.start()} />
        </main>
      );
    case 'signed-out':
      return <SignInPage />;
    default:
      return (
        <OneSpace key={identityKey(state)} user={state.user} space={state.space}>
          {children}
          {state.status === 'expired' && (
            <SignInAgain email={state.user.email} spaceId={hasSpace(state.space) ? state.space.id : null} />
          )}
          {state.status === 'elsewhere' && <SwitchedSpace here={state} there={state.there} />}
        </OneSpace>
      );
  }
}

/** Another person or another Space begins with an empty page: nothing that was read, written or opened is left. */
function OneSpace({ user, space, children }: Pick<Session, 'user' | 'space'> & { children: ReactNode }): ReactNode {
  const [queries] = useState(newQueries);
  const [client] = useState(() => auth.clientOf({ user, space }));
  return (
    <QueryClientProvider client={queries}>
      <SessionContext value={{ client, user, space }}>{children}</SessionContext>
    </QueryClientProvider>
  );
}
