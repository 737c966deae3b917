import { PLATFORM_EVENTS, type PlatformChange, platformKind } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';

const UNFINISHED = 'FAILED TIMED_OUT SKIPPED DISABLED';

/** The payload of an event: names of fields, never content. */
export function platformPayload(change: PlatformChange): JsonObject {
  const { event, id, at, name, status, previousStatus, errorCode } = change;
  const actorType = change.actorType ?? 'platform';
  const hasError = errorCode !== null && errorCode !== undefined && UNFINISHED.includes(status ?? 'none');
  const { idField = 'id', more = {} } = PLATFORM_EVENTS[event] ?? {};
  const payload: JsonObject = {
    kind: platformKind(event),
    id,
    name: name ?? null,
    status: status ?? null,
    agentId: change.agentId ?? null,
    taskId: change.taskId ?? null,
    datasetId: change.datasetId ?? null,
    sessionId: change.sessionId ?? null,
    turnId: change.turnId ?? null,
    userId: change.userId ?? null,
    actor: { type: actorType, id: change.actorId ?? null },
    error: hasError ? { code: errorCode } : null,
    at,
  };
  if (previousStatus !== null && previousStatus !== undefined) payload['previousStatus'] = previousStatus;
  for (const field of Object.keys(more)) payload[field] = change[field as keyof PlatformChange] ?? null;
  payload[idField] = id;
  return payload;
}
