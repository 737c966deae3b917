import { type ReactNode, createContext, use, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type Activity, SwitchyardError } from '@switchyard/client';
import { auth } from '../session/console-auth';
import { hasSpace, useSession } from '../session/session-context';

type Listener = (row: Activity | null) => void;

const ActivityContext = createContext<Set<Listener> | null>(null);

const PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

/** One stream of what changes in the Space, for everything on the page. */
export function ActivityProvider({ children }: { children: ReactNode }): ReactNode {
  const { client, space } = useSession();
  // While the password is asked for there is nothing to be read.
  const isSignedIn = useSyncExternalStore(auth.subscribe, auth.current).status === 'signed-in';
  const [listeners] = useState(() => new Set<Listener>());
  useEffect(() => {
    if (!isSignedIn || !hasSpace(space)) return;
    const stop = new AbortController();
    const send = (row: Activity | null): void => {
      for (const listener of listeners) listener(row);
    };
    const follow = async (): Promise<void> => {
      let failures = 0;
      const onOpen = (): void => {
        failures = 0;
        // Nothing is replayed: what happened before it was open is read anew.
        send(null);
      };
      while (!stop.signal.aborted) {
        try {
          for await (const row of client.activity.stream({}, { signal: stop.signal, onOpen })) send(row);
        } catch (error) {
          if (error instanceof SwitchyardError && error.status === 403) return;
          failures += 1;
        }
        await pause(Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** Math.max(0, failures - 1)), stop.signal);
      }
    };
    void follow();
    return () => stop.abort();
  }, [client, isSignedIn, listeners, space]);
  return <ActivityContext value={listeners}>{children}</ActivityContext>;
}

/** Calls back with each record that changes, and with null when some may have been missed. */
export function useActivity(listener: Listener): void {
  const listeners = use(ActivityContext);
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    const call: Listener = (row) => latest.current(row);
    listeners?.add(call);
    return () => void listeners?.delete(call);
  }, [listeners]);
}

/** With jitter, so that tabs which were cut off together do not come back together; it ends early when the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms * (0.5 + Math.random() / 2));
    function done(): void {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    }
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
