import type { Activity } from '@switchyard/client';

type Linked = Pick<Activity, 'kind' | 'id' | 'sessionId'>;

/** The page of a record. */
export function pageOf({ kind, id, sessionId }: Linked): string {
  switch (kind) {
    case 'turn':
      return sessionId === null ? `/causes/turn/${id}` : `/chat/${sessionId}`;
    case 'execution':
      return `/executions/${id}`;
    case 'job':
      return `/jobs/${id}`;
    case 'emission':
      return `/events/${id}`;
  }
}
