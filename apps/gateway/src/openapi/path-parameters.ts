import { ACTIVITY_KINDS, type JsonSchema, NATS_ACCOUNT_ID_PATTERN } from '@switchyard/contracts';
import { RESPONSE_ID_PATTERN } from '../adapters/openai/openai-ids';
import type { Operation } from './list-operations';

const DESCRIPTIONS: Record<string, string> = {
  accountId: 'Id of the NATS account: 22 letters and digits.',
  agentId: 'Id of the agent.',
  applicationId: 'Id of the installed application.',
  assistantId: 'Id of the agent, which LangGraph clients see as an assistant.',
  datasetId: 'Id of the dataset.',
  endpointId: 'Id of the endpoint.',
  envelopeId: 'Id of the envelope, the record of one emission.',
  eventId: 'Id of the registered event.',
  executionId: 'Id of the execution.',
  id: 'Id of the record.',
  importId: 'Id of the import.',
  jobId: 'Id of the job.',
  keyId: 'Id of the key, not its value.',
  kind: 'Kind of the record: `turn`, `execution`, `job` or `emission`.',
  memoryId: 'Id of the memory.',
  model: 'Id of an agent, which OpenAI clients see as a model.',
  path: 'Path of the OpenAI API below `/v1`, such as `chat/completions`.',
  responseId: 'Id of the response, as its creation returned it.',
  runId: 'Id of the turn, which LangGraph clients see as a run.',
  secretId: 'Id of the secret.',
  sessionId: 'Id of the session.',
  spaceId: 'Id of the Space.',
  subscriptionId: 'Id of the subscription.',
  taskId: 'Id of the task.',
  threadId: 'Id of the session, which LangGraph clients see as a thread.',
  turnId: 'Id of the turn.',
  userId: 'Id of the user.',
  version: 'Number of the version, from 1.',
};

/** Of parameters that are not UUIDs. */
const SCHEMAS: Record<string, JsonSchema> = {
  accountId: { type: 'string', pattern: NATS_ACCOUNT_ID_PATTERN },
  kind: { type: 'string', enum: [...ACTIVITY_KINDS] },
  model: { type: 'string', format: 'uuid' },
  path: { type: 'string', minLength: 1 },
  responseId: { type: 'string', pattern: RESPONSE_ID_PATTERN },
  version: { type: 'integer', minimum: 1 },
};

/** Parameters of a path. Ids are UUIDs; a parameter without a description or a schema is a defect. */
export const pathParameters = ({ path, ids }: Operation): JsonSchema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const description = DESCRIPTIONS[name];
    if (description === undefined) throw new Error(`the path parameter ${name} has no description`);
    return { name, in: 'path', required: true, description, schema: schemaOf(name, ids.includes(name)) };
  });

function schemaOf(name: string, isId: boolean): JsonSchema {
  if (isId) return { type: 'string', format: 'uuid' };
  const schema = SCHEMAS[name];
  if (schema === undefined) throw new Error(`the path parameter ${name} has no schema`);
  return schema;
}
