import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { contentsOf } from './maker';

export interface PlantedRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  path: string;
  body?: () => object;
}

/** Streams end with their turn; what is public reads no row of a Space, and operators have reads of their own. */
const NO_READS = /stream|health|well-known|openapi\.json|operator|\/auth\//;

export type SceneIds = Record<
  | 'agentId'
  | 'sessionId'
  | 'turnId'
  | 'taskId'
  | 'executionId'
  | 'jobId'
  | 'subscriptionId'
  | 'endpointId'
  | 'envelopeId'
  | 'eventId'
  | 'datasetId'
  | 'importDatasetId'
  | 'importId'
  | 'secretId'
  | 'keyId'
  | 'spaceId'
  | 'userId'
  | 'accountId'
  | 'applicationId',
  string
>;

const get = (path: string): PlantedRequest => ({ method: 'GET', path });
const post = (path: string, body: () => object = () => ({})): PlantedRequest => ({ method: 'POST', path, body });

/** Every GET of the API, and some with the parameters that read more. */
export function readsOf(ids: SceneIds): PlantedRequest[] {
  const values: Record<string, string | undefined> = {
    ...{ ...ids, version: '1', responseId: `resp_${ids.turnId}`, threadId: ids.sessionId, assistantId: ids.agentId },
    ...{ kind: 'execution', id: ids.executionId, model: ids.agentId },
  };
  const document = JSON.parse(readFileSync('docs/reference/openapi.json', 'utf8')) as {
    paths: Record<string, { get?: object }>;
  };
  const filled = (path: string): string => path.replaceAll(/\{(\w+)\}/g, (part, name: string) => values[name] ?? part);
  const paths = Object.entries(document.paths)
    .filter(([path, { get: read }]) => read && !NO_READS.test(path) && !filled(path).includes('{'))
    .map(([path]) => filled(path))
    .map((path) => (path.includes('/imports') ? path.replace(ids.datasetId, ids.importDatasetId) : path));
  const more = [
    ...['output', 'inputs'].map((field) => `/api/tasks/executions/${ids.executionId}/content?field=${field}`),
    `/api/agent-jobs/${ids.jobId}/content?field=result`,
    `/api/activity/causes/turn/${ids.turnId}`,
    `/api/activity/causes/job/${ids.jobId}`,
    ...['model', 'key', 'agent'].map((group) => `/api/usage?groupBy=${group}`),
    `/api/agents/sessions?q=hello`,
  ];
  return [...paths, ...more].map(get);
}

/** Reads of operators, over all Spaces together. */
export const operatorReadsOf = ({ spaceId, userId }: SceneIds): PlantedRequest[] =>
  [
    '/spaces',
    `/spaces/${spaceId}`,
    `/events?spaceId=${spaceId}`,
    `/users/${userId}`,
    ...['/users', '/operators', '/keys', '/poisoned', '/dead-letters', '/nats-accounts', '/top?by=tokens'],
  ].map((path) => get(`/api/operator${path}`));

/** Requests that begin work, which the services read again later, or that change what is stored. */
export function worksOf(ids: SceneIds, job: object): PlantedRequest[] {
  const { agentId, sessionId, datasetId, taskId, executionId } = ids;
  const turn = (): object => ({ stream: false, turnId: randomUUID(), contents: contentsOf('hi') });
  const data = `/api/datasets/${datasetId}/data`;
  const session = `/api/agents/${agentId}/sessions/${sessionId}`;
  return [
    post(`/api/agents/${agentId}/chat`, turn),
    post(`/api/agents/${agentId}/chat`, () => ({ ...turn(), session_id: sessionId })),
    post(`/api/agents/${agentId}/execute`, () => ({ inputs: { query: 'x' } })),
    post(`/api/agents/${agentId}/approvals/check`, () => ({ tool: 'x', arguments: {} })),
    post(`/api/agents/sessions/${sessionId}/fork`),
    post(`${session}/context/status`),
    post(`${session}/context/compact`),
    post(`/api/agents/${agentId}/versions/1/restore`),
    { method: 'PUT', path: `/api/agents/${agentId}`, body: () => ({ description: randomUUID() }) },
    post(`/api/tasks/${taskId}/execute`, () => ({ inputs: {} })),
    post(`/api/tasks/executions/${executionId}/rerun`),
    post(`/api/tasks/executions/${executionId}/try`, () => ({ stepId: 'end' })),
    { method: 'PUT', path: `/api/tasks/${taskId}`, body: () => ({ description: randomUUID() }) },
    post('/api/agent-jobs', () => job),
    post(`/api/events/envelopes/${ids.envelopeId}/replay`),
    post(`/api/events/registered/${ids.eventId}/emit`, () => ({ payload: { a: 1 } })),
    post(`/api/events/registered/${ids.eventId}/test-filter`, () => ({ filter: { a: 1 } })),
    post(`/api/events/endpoints/${ids.endpointId}/test`),
    post(`/api/events/endpoints/${ids.endpointId}/resume`),
    post(`${data}/query`),
    post(`${data}/count`),
    post(`${data}/search`, () => ({ query: 'a' })),
    post(`${data}/insert`, () => ({ records: [{ text: 'z' }] })),
    post(`${data}/update`, () => ({ filter: { text: 'z' }, set: { text: 'y' } })),
    post('/openai/v1/chat/completions', () => ({ model: agentId, messages: [{ role: 'user', content: 'hi' }] })),
    post('/openai/v1/responses', () => ({ model: agentId, input: 'hi', previous_response_id: `resp_${ids.turnId}` })),
    post('/langgraph/threads/search'),
    post('/langgraph/assistants/search'),
    post(`/langgraph/threads/${sessionId}/history`, () => ({ limit: 10 })),
  ];
}
