import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { newQueries } from '../api/queries';
import { history, isGuidesPage } from '../history';
import { ErrorState, Loading } from '../ui/states';
import { auth, identityKey } from './console-auth';
import { GuidesLink } from './guides-link';
import { SwitchedSpace } from './switched-space';
import { hasSpace, type Session, SessionContext } from './session-context';
import { SignInPage } from './sign-in';
import { SignInAgain } from './sign-in-again';

/** A renewal that takes longer may never be answered: a service may be down. */
const RENEWAL_MS = 1_000;

interface Props {
  /** Shown on pages of the documentation while there is no sign-in; `children` are shown after one. */
  guides: ReactNode;
  children: ReactNode;
}

/** Without a sign-in, only the documentation is shown, also while no sign-in works. */
export function SessionProvider({ guides, children }: Props): ReactNode {
  const state = useSyncExternalStore(auth.subscribe, auth.current);
  const isGuide = useSyncExternalStore(history.subscribe, isGuidesPage);
  const isSlow = useIsSlow(RENEWAL_MS);
  useEffect(() => void auth.start(), []);
  switch (state.status) {
    case 'starting':
      return isGuide && isSlow ? guides : <Loading label="Signing in" lines={6} />;
    case 'unreachable':
      return isGuide ? guides : <Unreachable error={state.error} />;
    case 'signed-out':
      return isGuide ? guides : <SignInPage />;
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

const Unreachable = ({ error }: { error: Error }): ReactNode => (
  <main className="grid min-h-full content-center justify-items-center">
    <h1 className="sr-only">Switchyard</h1>
    <ErrorState error={error} onRetry={() => void auth.start()} />
    <GuidesLink />
  </main>
);

function useIsSlow(ms: number): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isSlow;
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
