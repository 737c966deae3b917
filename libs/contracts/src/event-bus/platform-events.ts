import { isPlainObject, type JsonObject } from '@switchyard/kernel';
import type { ServiceName } from '../services';

/**
 * The readers of its envelopes: `MEMBERS` of the Space, its `PERSON` beside ADMIN and up, or `ADMINS` alone.
 */
export type PlatformEventAudience = 'MEMBERS' | 'PERSON' | 'ADMINS';

export interface PlatformEvent {
  description: string;
  audience: PlatformEventAudience;
  /** The field that has the record's id once more. */
  idField: string;
  /** The service that raises it; null while no service does. */
  source: ServiceName | null;
  /** Fields beside those of every payload. */
  more?: Readonly<Record<string, JsonObject>>;
  /** The payload has `kind`, `at` and `more` alone. */
  isShort?: boolean;
}

const TEXT: JsonObject = { type: 'string' };
const ID: JsonObject = { type: 'string', format: 'uuid' };
const TIME: JsonObject = { type: 'string', format: 'date-time' };
const orNull = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: 'null' }] });
const NUMBER: JsonObject = { type: 'number' };

const of = (
  audience: PlatformEventAudience,
  idField: string,
  source: ServiceName | null,
  descriptions: Readonly<Record<string, string>>,
  more: Pick<PlatformEvent, 'more' | 'isShort'> = {},
): Record<string, PlatformEvent> =>
  Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [
      name,
      { description, audience, idField, source, ...more },
    ]),
  );

const CHANGE = { more: { action: { type: 'string', enum: ['created', 'updated', 'deleted'] } } };
const LIMIT = { isShort: true, more: { limit: TEXT, value: NUMBER, until: orNull(TIME) } };
const BALANCE = {
  isShort: true,
  more: { reason: { type: 'string', enum: ['TENTH', 'MINIMUM', 'ZERO'] }, balance: NUMBER },
};

/** The events of the application `switchyard`, which every Space has. */
export const PLATFORM_EVENTS: Readonly<Record<string, PlatformEvent>> = {
  ...of(
    'PERSON',
    'turnId',
    'session',
    { 'turn.waiting': 'A turn of a session waits for an answer.' },
    { more: { interactionId: orNull(ID), purpose: orNull(TEXT) } },
  ),
  ...of('PERSON', 'turnId', 'session', {
    'turn.completed': 'A turn of a session was completed.',
    'turn.failed': 'A turn of a session failed.',
    'turn.cancelled': 'A turn of a session was cancelled.',
  }),
  ...of('PERSON', 'interactionId', 'session', {
    'interaction.answered': 'A question of an agent was answered.',
    'interaction.expired': 'A question of an agent expired without an answer.',
  }),
  ...of('PERSON', 'jobId', 'job', {
    'job.succeeded': 'A job succeeded.',
    'job.failed': 'A job failed.',
    'job.cancelled': 'A job was cancelled.',
    'job.timed_out': 'A job took longer than it may.',
    'job.waiting_input': 'A job waits for an answer.',
  }),
  ...of('MEMBERS', 'executionId', 'task', {
    'execution.succeeded': 'An execution of a task succeeded.',
    'execution.failed': 'An execution of a task failed, after its last attempt.',
    'execution.cancelled': 'An execution of a task was cancelled.',
    'execution.timed_out': 'An execution of a task took longer than the task allows.',
    'execution.skipped':
      'An execution of a task was skipped: the task was at its limit or was deactivated, or the cause was too deep.',
  }),
  ...of('MEMBERS', 'importId', 'dataset', {
    'import.completed': 'An import into a dataset was completed.',
    'import.failed': 'An import into a dataset failed.',
  }),
  ...of('MEMBERS', 'agentId', 'agent', { 'agent.changed': 'An agent was created, changed or deleted.' }, CHANGE),
  ...of('MEMBERS', 'taskId', 'task', { 'task.changed': 'A task was created, changed or deleted.' }, CHANGE),
  ...of('MEMBERS', 'datasetId', 'dataset', { 'dataset.changed': 'A dataset was created, changed or deleted.' }, CHANGE),
  ...of(
    'MEMBERS',
    'applicationId',
    'event-bus',
    { 'application.changed': 'An application was installed, upgraded or uninstalled.' },
    CHANGE,
  ),
  ...of('ADMINS', 'memberId', 'key', {
    'member.added': 'A person became a member of the Space.',
    'member.changed': 'The role of a member was changed.',
    'member.removed': 'A person is no member of the Space any more.',
  }),
  ...of('ADMINS', 'keyId', 'key', {
    'key.created': 'An API key was created.',
    'key.revoked': 'An API key was revoked.',
  }),
  ...of('ADMINS', 'secretId', 'key', { 'secret.changed': 'A secret was created, changed or deleted.' }, CHANGE),
  ...of('ADMINS', 'interactionId', 'session', { 'approval.answered': 'An approval was given or denied.' }),
  ...of(
    'ADMINS',
    '',
    'relay',
    {
      'limit.reached': 'A limit of the Space, of a key or of a person refused something for the first time in an hour.',
    },
    LIMIT,
  ),
  ...of('ADMINS', '', 'relay', { 'balance.low': 'The balance of the Space fell below a threshold.' }, BALANCE),
  ...of(
    'ADMINS',
    'endpointId',
    'event-bus',
    { 'endpoint.changed': 'An endpoint was created, changed or deleted.' },
    CHANGE,
  ),
  ...of('ADMINS', 'endpointId', 'event-bus', {
    'endpoint.disabled': 'An endpoint was disabled because deliveries failed.',
  }),
  ...of('MEMBERS', 'hookId', null, { 'hook.changed': 'A webhook in was created, changed or deleted.' }, CHANGE),
  ...of('MEMBERS', 'documentId', null, {
    'document.ready': 'A document was read and can be searched.',
    'document.failed': 'A document could not be read.',
  }),
  ...of('ADMINS', 'modelId', null, { 'model.retires': 'A model will be retired.' }),
};

/** Identifier of the application of these events, or of a Space in which another application has it. */
export const PLATFORM_APPLICATION = 'switchyard';
export const PLATFORM_APPLICATION_ELSE = 'switchyard-platform';
export const PLATFORM_APPLICATIONS: readonly string[] = [PLATFORM_APPLICATION, PLATFORM_APPLICATION_ELSE];

/** The part of an event's name before the dot. */
export const platformKind = (event: string): string => event.split('.')[0] ?? event;

/** As users read it: events that no service raises yet are registered, and say so. */
export const platformEventDescription = ({ description, source }: PlatformEvent): string =>
  source === null ? `${description} Not raised by this version.` : description;

const ACTOR: JsonObject = {
  type: 'object',
  required: ['type', 'id'],
  properties: {
    type: { type: 'string', enum: ['user', 'key', 'account', 'operator', 'platform'] },
    id: orNull(TEXT),
  },
};
const ERROR: JsonObject = { type: 'object', required: ['code'], properties: { code: TEXT } };

/** JSON Schema of its payload. Fields without a value are null. */
export function platformEventSchema(name: string, event: PlatformEvent): JsonObject {
  const kind = { const: platformKind(name) };
  const common: Record<string, JsonObject> = event.isShort
    ? { kind, at: TIME }
    : {
        kind,
        id: TEXT,
        name: orNull(TEXT),
        status: orNull(TEXT),
        previousStatus: orNull(TEXT),
        agentId: orNull(ID),
        taskId: orNull(ID),
        datasetId: orNull(ID),
        sessionId: orNull(TEXT),
        turnId: orNull(TEXT),
        userId: orNull(ID),
        actor: ACTOR,
        error: orNull(ERROR),
        at: TIME,
        [event.idField]: TEXT,
      };
  const properties: Record<string, JsonObject> = { ...common, ...event.more };
  const optional = new Set(['previousStatus']);
  return { type: 'object', required: Object.keys(properties).filter((field) => !optional.has(field)), properties };
}

/** The service that raises an event, where one does. */
export const platformEventSource = (name: string): ServiceName | null => PLATFORM_EVENTS[name]?.source ?? null;

/** Whether a payload is of an execution of this task. */
export const isOfTask = (payload: unknown, taskId: string | null): boolean =>
  taskId !== null && isPlainObject(payload) && payload['kind'] === 'execution' && payload['taskId'] === taskId;
