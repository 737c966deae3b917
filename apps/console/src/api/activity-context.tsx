import { type ReactNode, createContext, use, useEffect, useRef, useState } from 'react';
import { type Activity, SwitchyardError } from '@switchyard/client';
import { useClient, useSession } from '../session/session-context';

type Listener = (row: Activity | null) => void;

const ActivityContext = createContext<Set<Listener> | null>(null);

const PAUSE_MS = 2_000;

/** One stream of what changes in the Space, for everything on the page. */
export function ActivityProvider({ children }: { children: ReactNode }): ReactNode {
  const client = useClient();
  const spaceId = useSession().space.id;
  const [listeners] = useState(() => new Set<Listener>());
  useEffect(() => {
    const stop = new AbortController();
    const tell = (row: Activity | null): void => {
      for (const listener of listeners) listener(row);
    };
    const follow = async (): Promise<void> => {
      for (let isFirst = true; !stop.signal.aborted; isFirst = false) {
        try {
          // Nothing is replayed: what happened in between is read anew.
          if (!isFirst) tell(null);
          for await (const row of client.activity.stream({}, { signal: stop.signal })) tell(row);
        } catch (error) {
          if (error instanceof SwitchyardError && error.status === 403) return;
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    };
    void follow();
    return () => stop.abort();
  }, [client, spaceId, listeners]);
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
