import { type JsonSchema, PLATFORM_EVENTS, platformEventSchema } from '@switchyard/contracts';

const TYPES = ['succeeded', 'failed', 'cancelled', 'timed_out'].map((phase) => `agent_job.${phase}`);

const header = (name: string, description: string, required = true): JsonSchema => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});

const SIGNATURE = [
  header('webhook-timestamp', 'Time of the signature in seconds since 1970.'),
  header('webhook-signature', '`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`.'),
];

const body = (schema: JsonSchema): JsonSchema => ({ required: true, content: { 'application/json': { schema } } });

const agentJobEnded: JsonSchema = {
  post: {
    operationId: 'receiveAgentJob',
    summary: 'A job with a callbackUrl has ended',
    description:
      'Sent to the `callbackUrl` of the job, and signed as Standard Webhooks describe with the `webhookSecret` of the Space. Verify the signature, and refuse old timestamps. The same callback may arrive twice: compare `webhook-id`.',
    tags: ['agent-jobs'],
    security: [],
    parameters: [header('webhook-id', 'Id of the callback; the same in each of its deliveries.'), ...SIGNATURE],
    requestBody: body({
      type: 'object',
      description: 'The callback.',
      properties: {
        type: { type: 'string', enum: TYPES, description: 'The phase in which the job ended.' },
        timestamp: { type: 'string', format: 'date-time', description: 'Time of the end.' },
        data: { $ref: '#/components/schemas/JobView', description: 'The job.' },
      },
      required: ['type', 'timestamp', 'data'],
    }),
    responses: {
      '2XX': { description: 'The callback was received. It is not sent again.' },
      '410': { description: 'The callback is not wanted. It is not sent again.' },
      default: { description: 'The callback is sent again, nine times in about 20 hours.' },
    },
  },
};

/** Payloads of events of the platform, in words. */
const FIELDS: Readonly<Record<string, string>> = {
  kind: 'The kind of record.',
  id: 'Id of the record.',
  name: 'Name of its agent, task, dataset, application, key or endpoint.',
  status: 'Status of the record.',
  previousStatus: 'Its status before.',
  agentId: 'Its agent.',
  taskId: 'Its task.',
  datasetId: 'Its dataset.',
  sessionId: 'Its session.',
  turnId: 'Its turn.',
  userId: 'The user that it belongs to.',
  actor: 'The cause: a user, a key, an account of a service, an operator or the platform.',
  error: 'The code of its error.',
  at: 'Time of the change.',
  action: 'The kind of change.',
  interactionId: 'The question or approval.',
  purpose: 'Whether it is a question or an approval.',
  limit: 'Name of the limit.',
  value: 'Value of the limit.',
  until: 'Time from which it allows more.',
  reason: 'The threshold.',
  balance: 'The balance in tokens.',
};

/** The fields of the two objects within a payload. */
const NESTED: Readonly<Record<string, string>> = {
  type: 'The kind of actor.',
  id: 'Id of the actor.',
  code: 'The code, as in answers of the API.',
};

const inWords = (schema: JsonSchema, words: Readonly<Record<string, string>>, other: string): JsonSchema => {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const described = properties.map(([name, field]) => [name, describe(field, words[name] ?? other)] as const);
  return { ...schema, properties: Object.fromEntries(described) };
};

function describe(field: JsonSchema, description: string): JsonSchema {
  const choices = field['anyOf'] as JsonSchema[] | undefined;
  const described = choices ? { ...field, anyOf: choices.map((choice) => withNested(choice)) } : withNested(field);
  return { ...described, description };
}

const withNested = (schema: JsonSchema): JsonSchema =>
  schema['properties'] === undefined ? schema : inWords(schema, NESTED, '');

const payloadSchema = (schema: JsonSchema): JsonSchema => ({
  ...inWords(schema, FIELDS, 'Id of the record, under its usual name.'),
  description: 'The payload.',
});

const eventWebhook = (operationId: string, summary: string, type: JsonSchema, data: JsonSchema): JsonSchema => ({
  post: {
    operationId,
    summary,
    description:
      'Sent to the endpoints that subscribe to the event, and signed as Standard Webhooks describe with the secret of the endpoint. It may arrive more than once and in any order: compare `webhook-id`, and `timestamp`.',
    tags: ['events'],
    security: [],
    parameters: [
      header('webhook-id', 'Ids of the envelope and the endpoint; the same in each retry.'),
      ...SIGNATURE,
      header('Switchyard-Cause', 'Id of the envelope. A request that sends it back counts as caused by the event.'),
      header('traceparent', 'The trace that the delivery belongs to.', false),
    ],
    requestBody: body({
      type: 'object',
      description: 'The event.',
      properties: {
        type: { ...type, description: 'Name of the event.' },
        timestamp: { type: 'string', format: 'date-time', description: 'Time of the emission.' },
        data,
        envelopeId: { type: 'string', format: 'uuid', description: 'Id of the envelope.' },
      },
      required: ['type', 'timestamp', 'data', 'envelopeId'],
    }),
    responses: {
      '2XX': { description: 'The event was received. It is not sent again.' },
      '410': { description: 'No more events are wanted: the endpoint is disabled.' },
      default: { description: 'The event is sent again, eight times in about two days.' },
    },
  },
});

/** `turn.timed_out` becomes `TurnTimedOut`. */
const pascal = (name: string): string =>
  name
    .split(/[._]/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Requests that the platform sends: callbacks of jobs, and events to endpoints. */
export const webhooks = (): Record<string, JsonSchema> => ({
  agentJobEnded,
  applicationEvent: eventWebhook(
    'receiveApplicationEvent',
    'An event of an application',
    { type: 'string' },
    { type: 'object', description: 'The payload, as the schema of the event describes it.' },
  ),
  ...Object.fromEntries(
    Object.entries(PLATFORM_EVENTS)
      .filter(([, { source }]) => source !== null)
      .map(([name, event]) => [
        name,
        eventWebhook(
          `receive${pascal(name)}`,
          event.description.replace(/\.$/u, ''),
          { type: 'string', const: name },
          payloadSchema(platformEventSchema(name, event)),
        ),
      ]),
  ),
});
