import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Answer, type TestPlatform, type TestSpace, until } from '@switchyard/testing';

export interface PlantedScene {
  space: TestSpace;
  /** Requests that read, and those that begin work which the services read again later. */
  reads: string[];
  works: [path: string, body: () => object][];
}

const QUESTION_PROMPT = `@@tool ask_user ${JSON.stringify({ kind: 'single_choice', prompt: 'Which?', options: [{ id: 'a', label: 'A' }] })}`;
/** Streams end with their turn; what is public or the operator's reads no row of a Space. */
const NO_READS = /stream|health|well-known|openapi\.json|operator|\/auth\//;

/** A Space with one or more of everything that users make. */
export async function plantedScene(platform: TestPlatform): Promise<PlantedScene> {
  const space = await platform.newSpace();
  const { owner } = space;
  await space.credit(10_000_000);
  const create = async (path: string, body: object): Promise<Answer> => {
    const { status, body: answer } = await owner.post(path, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const text = (value: string): object[] => [{ type: 'text', text: value }];
  const { id: agentId } = await create('/agents', {
    name: 'A',
    model: 'sim-chat',
    systemPrompt: 'You help.',
    tools: ['ask_user'],
    metadata: { a: 1 },
  });
  const chat = (body: object): Promise<Answer> =>
    create(`/agents/${agentId}/chat`, { stream: false, turnId: randomUUID(), ...body });
  const { session_id: sessionId, turn_id: turnId } = await chat({ contents: text('hello') });
  await chat({ session_id: sessionId, contents: text(QUESTION_PROMPT) });
  const steps = [{ id: 'end', type: 'transform', with: { n: 1 } }];
  const task = { name: 'T', description: 'd', inputs: { a: 1 }, metadata: { a: 1 }, steps };
  const { id: taskId } = await create('/tasks', { ...task, type: 'EVENT', active: true });
  await create('/tasks', { ...task, type: 'SCHEDULE', schedule: { cron: '0 0 1 1 *' } });
  const { id: executionId } = await create(`/tasks/${taskId}/execute`, { inputs: { a: 'b' } });
  const job = { type: 'AGENT_INVOKE', agentId, input: { inputs: { query: 'x' } }, metadata: { a: 1 } };
  const { id: jobId } = await create('/agent-jobs', { ...job, callbackUrl: 'http://127.0.0.2:9/hook' });
  const identifier = `planted-${space.id.slice(-12)}`;
  const events = [{ name: 'tick', description: 'd', schema: { type: 'object' } }];
  const manifest = { identifier, name: 'P', version: '1.0.0', events };
  const application = await create('/applications', { manifest });
  const subscription = { appIdentifier: identifier, event: 'tick', taskId, filter: { a: 1 } };
  const { id: subscriptionId } = await create('/events/subscriptions', subscription);
  const { id: endpointId } = await create('/events/endpoints', { url: 'http://127.0.0.2:9/x', name: 'e' });
  const emit = { appIdentifier: identifier, event: 'tick', payload: { a: 1 } };
  const emitted = await owner.as(`Bearer ${application.systemApiKey as string}`).post('/events/emit', emit);
  const { envelopeId } = emitted.body.data;
  const fields = [
    { name: 'text', type: 'text', default: 'x' },
    { name: 'j', type: 'json' },
  ];
  const { id: datasetId } = await create('/datasets', { name: 'D', description: 'd', schema: { fields } });
  await create(`/datasets/${datasetId}/data/insert`, { records: [{ text: 'a', j: { b: 1 } }, { text: 'c' }] });
  const { id: secretId } = await create('/secrets', {
    name: 'S',
    description: 'd',
    value: 'x',
    hosts: ['example.com'],
  });
  const { id: keyId } = await create('/api-keys', { name: 'k', description: 'd' });
  await until(async () => (await owner.get(`/agent-jobs/${jobId}`)).body.data.phase === 'SUCCEEDED');
  await until(async () => (await owner.get(`/tasks/executions/${executionId}`)).body.data.status === 'SUCCEEDED');

  const ids: Record<string, string | undefined> = {
    ...{ agentId, sessionId, turnId, taskId, executionId, jobId, subscriptionId, endpointId, envelopeId, datasetId },
    ...{ secretId, keyId, spaceId: space.id, userId: owner.identity.userId, applicationId: application.id },
    ...{ version: '1', responseId: `resp_${turnId as string}`, threadId: sessionId, assistantId: agentId },
    ...{ kind: 'execution', id: executionId, model: agentId, importId: randomUUID() },
  };
  const document = JSON.parse(readFileSync('docs/reference/openapi.json', 'utf8')) as {
    paths: Record<string, { get?: object }>;
  };
  const filled = (path: string): string => path.replaceAll(/\{(\w+)\}/g, (part, name: string) => ids[name] ?? part);
  const reads = Object.entries(document.paths)
    .filter(([path, { get }]) => get && !NO_READS.test(path) && !filled(path).includes('{'))
    .map(([path]) => filled(path));
  const turn = (): object => ({ stream: false, turnId: randomUUID(), contents: text('hi') });
  const works: PlantedScene['works'] = [
    [`/api/agents/${agentId}/chat`, turn],
    [`/api/agents/${agentId}/chat`, () => ({ ...turn(), session_id: sessionId })],
    [`/api/agents/${agentId}/execute`, () => ({ inputs: { query: 'x' } })],
    [`/api/agents/sessions/${sessionId}/fork`, () => ({})],
    [`/api/agents/${agentId}/versions/1/restore`, () => ({})],
    [`/api/tasks/${taskId}/execute`, () => ({ inputs: {} })],
    [`/api/tasks/executions/${executionId}/rerun`, () => ({})],
    ['/api/agent-jobs', () => job],
    [`/api/events/envelopes/${envelopeId as string}/replay`, () => ({})],
    [`/api/datasets/${datasetId}/data/query`, () => ({})],
    [`/api/datasets/${datasetId}/data/search`, () => ({ query: 'a' })],
    [`/api/datasets/${datasetId}/data/insert`, () => ({ records: [{ text: 'z' }] })],
    ['/langgraph/threads/search', () => ({})],
    ['/langgraph/assistants/search', () => ({})],
  ];
  return { space, reads, works };
}
