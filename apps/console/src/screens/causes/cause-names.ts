import type { ActivityKind } from '@switchyard/client';
import { pageOf } from '../../api/record-links';
import { recordName, topicOf } from '../../api/record-names';
import { wordsOf } from '../../api/status';
import type { Cause } from './cause-rows';

/** A turn has the name of its agent; `agentName` gives an empty text until it is read. */
export function nameOf({ name = null, kind, hidden, agentId }: Cause, agentName: (id: string) => string): string {
  if (hidden === true) return 'Private';
  if (kind !== 'turn') return topicOf(name) || wordsOf(kind);
  return recordName({ kind, name, agentId: agentId ?? null }, agentName);
}

const KINDS = new Set<string>(['execution', 'job', 'emission']);

/** Steps, calls and deliveries have no page of their own: that of the record above them shows them. */
export function linkOf({ kind, id, sessionId }: Cause): string | null {
  if (id === null) return null;
  if (kind === 'turn') return sessionId ? pageOf({ kind, id, sessionId }) : null;
  return KINDS.has(kind) ? pageOf({ kind: kind as ActivityKind, id, sessionId: null }) : null;
}
