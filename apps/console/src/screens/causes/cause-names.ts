import type { ActivityKind } from '@switchyard/client';
import { pageOf } from '../../api/record-links';
import { topicOf } from '../../api/record-names';
import { wordsOf } from '../../api/status';
import type { Cause } from './cause-rows';

export const nameOf = ({ name, kind, hidden }: Cause): string =>
  hidden === true ? 'Private' : topicOf(name) || wordsOf(kind);

const KINDS = new Set<string>(['execution', 'job', 'emission']);

/** Steps, calls and deliveries have no page of their own: that of the record above them shows them. */
export function linkOf({ kind, id, sessionId }: Cause): string | null {
  if (id === null) return null;
  if (kind === 'turn') return sessionId ? pageOf({ kind, id, sessionId }) : null;
  return KINDS.has(kind) ? pageOf({ kind: kind as ActivityKind, id, sessionId: null }) : null;
}
