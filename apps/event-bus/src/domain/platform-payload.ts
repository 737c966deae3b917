import { PLATFORM_EVENTS, type PlatformChange, platformKind } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';

const UNFINISHED = 'FAILED TIMED_OUT SKIPPED DISABLED';

/** The payload of an event: names of fields, never content. */
export function platformPayload(change: PlatformChange): JsonObject {
  const { event, id, at, name, status, previousStatus, errorCode } = change;
  const actorType = change.actorType ?? 'platform';
  const hasError = errorCode !== null && errorCode !== undefined && UNFINISHED.includes(status ?? 'none');
  const { idField = 'id', more = {}, isShort = false } = PLATFORM_EVENTS[event] ?? {};
  const own = Object.fromEntries(
    Object.keys(more).map((field) => [field, change[field as keyof PlatformChange] ?? null]),
  );
  if (isShort) return { kind: platformKind(event), at, ...own };
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
  payload[idField] = id;
  return { ...payload, ...own };
}
