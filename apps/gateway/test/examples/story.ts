import { type Client, type Reply, signIn, type TestPlatform, type TestSpace, until } from '@switchyard/testing';
import type { ExampleRecorder } from './recorder';

interface Scene {
  platform: TestPlatform;
  space: TestSpace;
  /** A member who signs in and out, is changed and removed. */
  ada: Client;
  /** An operator of the platform. */
  operator: Client;
  recorder: ExampleRecorder;
}

const dataOf = (reply: Reply): Record<string, string> => (reply.body as { data?: Record<string, string> }).data ?? {};

/** Calls every operation of the API once, as one story: a shop whose agent answers questions about its products. */
export async function tellStory({ platform, recorder }: Pick<Scene, 'platform' | 'recorder'>): Promise<void> {
  const space = await platform.newSpace('Shop');
  const { email, password } = platform.state.owner;
  const operator = await signIn(platform.anonymous, email, password);
  const scene = { platform, space, operator, recorder, ada: await addAda(space, recorder) };
  await publicRoutes(scene);
  await accounts(scene);
  const agentId = await agents(scene);
  const sessionId = await turns(scene, agentId);
  await sessions(scene, agentId, sessionId);
  await keys(scene);
  const datasetId = await datasets(scene);
  const taskId = await tasks(scene);
  await events(scene, taskId);
  await jobs(scene, agentId);
  await activity(scene);
  await usage(scene);
  await secrets(scene);
  await otherProtocols(scene, agentId);
  await operators(scene);
  await removals(scene, { agentId, sessionId, datasetId, taskId });
}

async function addAda({ id, owner }: TestSpace, recorder: ExampleRecorder): Promise<Client> {
  const address = `ada-${id}@example.com`;
  const invited = dataOf(
    await recorder.call(
      owner,
      'POST /api/spaces/{spaceId}/members',
      { spaceId: id },
      { email: address, role: 'MEMBER' },
    ),
  ) as unknown as { invitation: { token: string } };
  const password = 'correct horse battery';
  const { token } = invited.invitation;
  await recorder.call(owner.as(null), 'POST /api/auth/invitations/accept', {}, { token, password });
  const signedIn = await recorder.call(owner.as(null), 'POST /api/auth/login', {}, { email: address, password });
  const { accessToken, user } = dataOf(signedIn) as unknown as { accessToken: string; user: { id: string } };
  return owner.as(`Bearer ${accessToken}`, { userId: user.id, email: address, password });
}

async function publicRoutes({ space, recorder }: Scene): Promise<void> {
  const visitor = space.owner.as(null);
  await recorder.call(visitor, 'GET /.well-known/jwks.json');
  await recorder.call(visitor, 'GET /.well-known/oauth-protected-resource');
  await recorder.call(visitor, 'GET /health/live');
  await recorder.call(visitor, 'GET /health/ready');
}

async function accounts({ space, ada, recorder }: Scene): Promise<void> {
  const { owner, id: spaceId } = space;
  const visitor = owner.as(null);
  const { email, password } = ada.identity;
  await recorder.call(ada, 'GET /api/auth/me');
  const newPassword = 'staple battery horse';
  await recorder.call(ada, 'POST /api/auth/password', {}, { currentPassword: password, newPassword });
  const again = dataOf(await owner.as(null).post('/auth/login', { email, password: newPassword }));
  const renewed = dataOf(
    await recorder.call(visitor, 'POST /api/auth/refresh', {}, { refreshToken: again['refreshToken'] }),
  );
  await recorder.call(owner, 'POST /api/auth/switch-space', {}, { spaceId });
  const leaving = owner.as(`Bearer ${renewed['accessToken'] ?? ''}`);
  await recorder.call(leaving, 'POST /api/auth/logout', {}, { refreshToken: renewed['refreshToken'] });
  await recorder.call(owner, 'GET /api/spaces');
  await recorder.call(owner, 'GET /api/spaces/{spaceId}', { spaceId });
  const settings = { dailyTokenCap: 1_000_000, taskConcurrency: 10 };
  await recorder.call(owner, 'PATCH /api/spaces/{spaceId}', { spaceId }, { name: 'Shop', settings });
  await recorder.call(owner, 'GET /api/spaces/{spaceId}/members', { spaceId });
  const member = { spaceId, userId: ada.identity.userId ?? '' };
  await recorder.call(owner, 'PATCH /api/spaces/{spaceId}/members/{userId}', member, { role: 'VIEWER' });
  await recorder.call(owner, 'POST /api/spaces/{spaceId}/webhook-secret/rotate', { spaceId }, {});
}

/** The last line is a script for the model simulator. */
const PROMPT = 'You answer questions about our products.\n@@@reply The clamp lamp fits a small desk best.';

async function agents({ space, recorder }: Scene): Promise<string> {
  const { owner } = space;
  const agent = { name: 'Guide', model: 'sim-chat', systemPrompt: PROMPT };
  const created = dataOf(
    await recorder.call(
      owner,
      'POST /api/agents',
      {},
      { ...agent, description: 'Answers customers', tools: ['ask_user'] },
    ),
  );
  const agentId = created['id'] ?? '';
  await recorder.call(owner, 'GET /api/agents');
  await recorder.call(owner, 'GET /api/agents/system-agents');
  await recorder.call(owner, 'GET /api/agents/{agentId}', { agentId });
  await recorder.call(owner, 'PUT /api/agents/{agentId}', { agentId }, { settings: { temperature: 0.2 } });
  await recorder.call(owner, 'GET /api/agents/{agentId}/versions', { agentId });
  await recorder.call(owner, 'GET /api/agents/{agentId}/versions/{version}', { agentId, version: '1' });
  await recorder.call(owner, 'POST /api/agents/{agentId}/versions/{version}/restore', { agentId, version: '2' });
  await recorder.call(owner, 'GET /api/agents/{agentId}/mcp/tools', { agentId });
  await recorder.call(owner, 'POST /api/agents/{agentId}/mcp/tools/approve', { agentId }, {});
  const refund = { tool: 'refund', arguments: { order: 'o-17', amount: 120 } };
  await recorder.call(owner, 'POST /api/agents/{agentId}/approvals/check', { agentId }, refund);
  return agentId;
}

const text = (said: string): object => ({ contents: [{ type: 'text', text: said }] });

async function turns({ space, recorder }: Scene, agentId: string): Promise<string> {
  const { owner } = space;
  const session = dataOf(
    await recorder.call(owner, 'POST /api/agents/sessions', {}, { agentId, title: 'First questions' }),
  );
  const sessionId = session['id'] ?? '';
  const chat = { ...text('Which lamp fits a small desk?'), session_id: sessionId, stream: false };
  const { turn_id: turnId = '' } = dataOf(
    await recorder.call(owner, 'POST /api/agents/{agentId}/chat', { agentId }, chat),
  );
  await recorder.stream(owner, 'POST /api/agents/{agentId}/chat', { agentId }, text('Thank you.'));
  const inputs = { query: 'Name the three lightest lamps.' };
  await recorder.call(owner, 'POST /api/agents/{agentId}/execute', { agentId }, { inputs });
  await recorder.call(owner, 'GET /api/agents/{agentId}/turns/{turnId}', { agentId, turnId });
  await recorder.stream(owner, 'GET /api/agents/{agentId}/turns/{turnId}/stream', { agentId, turnId });
  await recorder.call(owner, 'POST /api/agents/{agentId}/turns/{turnId}/cancel', { agentId, turnId }, { sessionId });
  await questions({ owner, recorder, agentId });
  await localTools({ owner, recorder, agentId });
  await recorder.call(owner, 'GET /api/agents/{agentId}/latency', { agentId });
  return sessionId;
}

interface AgentScene {
  owner: Client;
  recorder: ExampleRecorder;
  agentId: string;
}

async function questions({ owner, recorder, agentId }: AgentScene): Promise<void> {
  const options = [
    { id: 'desk', label: 'A desk lamp' },
    { id: 'floor', label: 'A floor lamp' },
  ];
  const form = { kind: 'single_choice', prompt: 'Which kind?', options };
  const script = `@@tool ask_user ${JSON.stringify(form)}\n@@reply A good choice.`;
  const { session_id: sessionId = '', turn_id: turnId = '' } = dataOf(
    await owner.post(`/agents/${agentId}/chat`, { ...text(script), stream: false }),
  );
  const pending = 'GET /api/agents/{agentId}/sessions/{sessionId}/interactions/pending';
  const waiting = await recorder.call(owner, pending, { agentId, sessionId });
  const [interaction] = (waiting.body as unknown as { data: { id: string }[] }).data;
  await recorder.call(owner, 'GET /api/interactions');
  const answer = { sessionId, interactionId: interaction?.id, selectedOptionIds: ['desk'], otherText: null };
  await recorder.stream(owner, 'POST /api/agents/{agentId}/turns/{turnId}/resume', { agentId, turnId }, answer);
}

async function localTools({ owner, recorder, agentId }: AgentScene): Promise<void> {
  const localTool = { name: 'read_clock', description: 'The time of day.', parameters: { type: 'object' } };
  const body = { ...text('@@tool read_clock {}\n@@reply It is {{tool}}'), localTools: [localTool] };
  const headers = { 'x-service-stream-protocol': 'stream-v3' };
  const { frames } = await owner.stream(`/agents/${agentId}/chat`, body, { headers });
  const started = { turnId: '', sessionId: '' };
  for await (const frame of frames) {
    const { params } = frame.data as unknown as { params: { data: Record<string, string> } };
    const { event, turn_id: turnId, session_id: sessionId, call_id: callId } = params.data;
    if (event === 'session-started') Object.assign(started, { turnId, sessionId });
    if (event !== 'local-tool-call') continue;
    const path = 'POST /api/agents/{agentId}/turns/{turnId}/tool-results';
    const result = { sessionId: started.sessionId, callId, result: '12:00' };
    await recorder.call(owner, path, { agentId, turnId: started.turnId }, result);
  }
}

async function sessions({ space, recorder }: Scene, agentId: string, sessionId: string): Promise<void> {
  const { owner } = space;
  const inSession = { agentId, sessionId };
  await recorder.call(owner, 'GET /api/agents/sessions');
  await recorder.call(owner, 'GET /api/agents/sessions/{sessionId}', { sessionId });
  await recorder.call(owner, 'PATCH /api/agents/sessions/{sessionId}', { sessionId }, { title: 'Lamps' });
  await recorder.call(owner, 'GET /api/agents/sessions/{sessionId}/messages', { sessionId });
  await recorder.call(owner, 'POST /api/agents/sessions/{sessionId}/fork', { sessionId }, {});
  const context = '/api/agents/{agentId}/sessions/{sessionId}/context';
  await recorder.call(owner, `POST ${context}/status`, inSession, {});
  for (let count = 0; count < 6; count += 1)
    await owner.post(`/agents/${agentId}/chat`, { ...text('@@tokens 40'), session_id: sessionId, stream: false });
  await recorder.call(owner, `POST ${context}/compact`, inSession, {});
  const remember = { tools: ['save_memory'] };
  await owner.put(`/agents/${agentId}`, remember);
  for (const memory of ['Prefers desk lamps.', 'Lives in Bonn.', 'Likes green.'])
    await owner.post(`/agents/${agentId}/chat`, {
      ...text(`@@tool save_memory ${JSON.stringify({ text: memory })}\n@@reply Noted.`),
      stream: false,
    });
  const listed = await recorder.call(owner, 'GET /api/agents/{agentId}/memories', { agentId });
  const [memory] = (listed.body as unknown as { data: { id: string }[] }).data;
  const ofMemory = { agentId, memoryId: memory?.id ?? '' };
  await recorder.call(owner, 'PATCH /api/agents/{agentId}/memories/{memoryId}', ofMemory, { text: 'Likes blue.' });
  await recorder.call(owner, 'DELETE /api/agents/{agentId}/memories/{memoryId}', ofMemory);
  await recorder.call(owner, 'DELETE /api/agents/{agentId}/memories', { agentId });
}

async function keys({ space, recorder }: Scene): Promise<void> {
  const { owner } = space;
  const body = { name: 'Website', scopes: ['agents:call'], limits: { dailyTokens: 100_000 } };
  const created = dataOf(await recorder.call(owner, 'POST /api/api-keys', {}, body));
  const keyId = created['id'] ?? '';
  await recorder.call(owner, 'GET /api/api-keys');
  await recorder.call(owner, 'GET /api/api-keys/{keyId}', { keyId });
  await recorder.call(owner, 'PUT /api/api-keys/{keyId}', { keyId }, { name: 'Shop website' });
  await recorder.call(owner, 'GET /api/api-keys/{keyId}/usage', { keyId });
  await recorder.call(owner, 'POST /api/api-keys/validate', {}, { key: created['key'] });
  await recorder.call(owner, 'POST /api/api-keys/{keyId}/rotate', { keyId }, { graceSeconds: 3600 });
  await recorder.call(owner, 'POST /api/api-keys/{keyId}/revoke', { keyId }, {});
}

async function datasets({ space, recorder }: Scene): Promise<string> {
  const { owner } = space;
  const fields = [
    { name: 'sku', type: 'string', required: true, unique: true },
    { name: 'title', type: 'string', fullText: true, vector: true },
    { name: 'price', type: 'number' },
  ];
  const body = { name: 'Products', description: 'All products of the shop', schema: { fields } };
  const datasetId = dataOf(await recorder.call(owner, 'POST /api/datasets', {}, body))['id'] ?? '';
  const of = { datasetId };
  const data = '/api/datasets/{datasetId}/data';
  await recorder.call(owner, 'GET /api/datasets');
  await recorder.call(owner, 'GET /api/datasets/{datasetId}', of);
  const more = { schema: { fields: [...fields, { name: 'color', type: 'string' }] } };
  await recorder.call(owner, 'PATCH /api/datasets/{datasetId}', of, more);
  const records = [
    { sku: 'lamp-1', title: 'Desk lamp', price: 39 },
    { sku: 'lamp-2', title: 'Floor lamp', price: 89 },
  ];
  await recorder.call(owner, `POST ${data}/insert`, of, { records });
  await recorder.call(owner, `POST ${data}/query`, of, {
    filter: { price: { lt: 50 } },
    sort: [{ field: 'price', direction: 'asc' }],
    limit: 10,
  });
  await recorder.call(owner, `POST ${data}/count`, of, { filter: { price: { gte: 50 } } });
  await recorder.call(owner, `POST ${data}/update`, of, { filter: { sku: 'lamp-1' }, set: { price: 35 } });
  await recorder.call(owner, `POST ${data}/full-text-search`, of, { query: 'lamp', limit: 5 });
  await until(async () => (await owner.post(`/datasets/${datasetId}/data/search`, { query: 'lamp' })).status === 200);
  await recorder.call(owner, `POST ${data}/search`, of, { query: 'light for reading', topK: 5 });
  await recorder.call(owner, `POST ${data}/hybrid-search`, of, { query: 'lamp for reading', topK: 5 });
  await recorder.call(owner, 'GET /api/datasets/{datasetId}/embeddings', of);
  await recorder.call(owner, 'POST /api/datasets/{datasetId}/embeddings/retry', of, {});
  await recorder.file(owner, 'POST /api/datasets/{datasetId}/import', of, 'application/x-ndjson');
  await recorder.call(owner, 'GET /api/datasets/{datasetId}/export', of);
  await recorder.call(owner, `POST ${data}/delete`, of, { filter: { price: { gt: 80 } } });
  await imports({ owner, recorder });
  return datasetId;
}

async function imports({ owner, recorder }: { owner: Client; recorder: ExampleRecorder }): Promise<void> {
  const schema = {
    fields: [
      { name: 'sku', type: 'string' },
      { name: 'text', type: 'text' },
    ],
  };
  const datasetId = dataOf(await owner.post('/datasets', { name: 'Parts', schema }))['id'] ?? '';
  const lines = Array.from({ length: 60_000 }, (_, at) => `{"sku":"part-${at}","text":"Part ${at}"}`);
  const headers = { 'content-type': 'application/x-ndjson' };
  const accepted = await owner.post(`/datasets/${datasetId}/import`, lines.join('\n'), { headers });
  await recorder.call(owner, 'GET /api/datasets/{datasetId}/imports', { datasetId });
  const importId = dataOf(accepted)['id'];
  if (importId === undefined) return;
  await recorder.call(owner, 'GET /api/datasets/{datasetId}/imports/{importId}', { datasetId, importId });
  await recorder.call(owner, 'POST /api/datasets/{datasetId}/imports/{importId}/cancel', { datasetId, importId }, {});
}

async function tasks({ space, recorder }: Scene): Promise<string> {
  const { owner } = space;
  const steps = [
    { id: 'report', type: 'transform', with: { text: 'Report of {{ execution.inputs.day }}' } },
    { id: 'pause', type: 'wait', with: { seconds: 0.1 } },
  ];
  const body = { name: 'Nightly report', description: 'Sums up the day', steps, inputs: { day: 'Monday' } };
  const taskId = dataOf(await recorder.call(owner, 'POST /api/tasks', {}, body))['id'] ?? '';
  await recorder.call(owner, 'GET /api/tasks');
  await recorder.call(owner, 'GET /api/tasks/{taskId}', { taskId });
  await recorder.call(owner, 'PUT /api/tasks/{taskId}', { taskId }, { timeoutSeconds: 600 });
  const started = await recorder.call(
    owner,
    'POST /api/tasks/{taskId}/execute',
    { taskId },
    { inputs: { day: 'Tuesday' } },
  );
  const executionId = dataOf(started)['id'] ?? '';
  await until(async () => dataOf(await owner.get(`/tasks/runs/${executionId}`))['status'] === 'SUCCEEDED');
  await recorder.call(owner, 'GET /api/tasks/runs/{executionId}', { executionId });
  await recorder.call(owner, 'GET /api/tasks/executions');
  await recorder.call(owner, 'GET /api/tasks/{taskId}/executions', { taskId });
  await recorder.call(owner, 'GET /api/tasks/executions/{executionId}', { executionId });
  await recorder.call(
    owner,
    'GET /api/tasks/executions/{executionId}/content',
    { executionId },
    undefined,
    '?field=output',
  );
  await recorder.call(
    owner,
    'POST /api/tasks/executions/{executionId}/rerun',
    { executionId },
    { inputs: { day: 'Friday' } },
  );
  await failures({ owner, recorder });
  return taskId;
}

async function failures({ owner, recorder }: { owner: Client; recorder: ExampleRecorder }): Promise<void> {
  const executionOf = async (name: string, step: object): Promise<string> => {
    const task = dataOf(await owner.post('/tasks', { name, steps: [step] }));
    return dataOf(await owner.post(`/tasks/${task['id'] ?? ''}/execute`, {}))['id'] ?? '';
  };
  const failing = {
    id: 'call',
    type: 'transform',
    with: { value: '{{ execution.inputs.missing.day }}' },
    if: '{{ x | y }}',
  };
  const failed = await executionOf('Failing', {
    ...failing,
    if: undefined,
    type: 'emit',
    with: { appIdentifier: 'none', event: 'none', payload: {} },
  });
  await until(async () => dataOf(await owner.get(`/tasks/runs/${failed}`))['status'] === 'FAILED');
  await recorder.call(owner, 'POST /api/tasks/executions/{executionId}/retry', { executionId: failed }, {});
  const waiting = await executionOf('Waiting', { id: 'wait', type: 'wait', with: { seconds: 600 } });
  await recorder.call(owner, 'POST /api/tasks/executions/{executionId}/cancel', { executionId: waiting }, {});
}

async function events({ space, recorder }: Scene, _taskId: string): Promise<void> {
  const { owner } = space;
  const schema = {
    type: 'object',
    properties: { order: { type: 'string' }, total: { type: 'number' } },
    required: ['order', 'total'],
  };
  const manifest = {
    identifier: 'shop',
    name: 'Shop',
    version: '1.0.0',
    events: [{ name: 'order.paid', description: 'An order was paid', schema }],
  };
  const installed = dataOf(await recorder.call(owner, 'POST /api/applications', {}, { manifest }));
  const applicationId = installed['id'] ?? '';
  await recorder.call(owner, 'GET /api/applications');
  await recorder.call(owner, 'GET /api/applications/{applicationId}', { applicationId });
  await recorder.call(
    owner,
    'PUT /api/applications/{applicationId}',
    { applicationId },
    { manifest: { ...manifest, version: '1.1.0' } },
  );
  const rotated = await recorder.call(
    owner,
    'POST /api/applications/{applicationId}/rotate-key',
    { applicationId },
    {},
  );
  const registered = await recorder.call(owner, 'GET /api/events/registered');
  const [event] = (registered.body as unknown as { data: { id: string }[] }).data;
  const eventId = event?.id ?? '';
  const onEvent = {
    name: 'Ship',
    type: 'EVENT',
    steps: [{ id: 'ship', type: 'transform', with: { order: '{{ execution.inputs.trigger.payload.order }}' } }],
  };
  const eventTask = dataOf(await owner.post('/tasks', onEvent))['id'];
  const subscription = {
    appIdentifier: 'shop',
    event: 'order.paid',
    taskId: eventTask,
    filter: { total: { gte: 100 } },
  };
  const subscriptionId =
    dataOf(await recorder.call(owner, 'POST /api/events/subscriptions', {}, subscription))['id'] ?? '';
  await recorder.call(owner, 'GET /api/events/subscriptions');
  await recorder.call(owner, 'GET /api/events/subscriptions/{subscriptionId}', { subscriptionId });
  const system = owner.as(`Bearer ${systemKeyOf(rotated)}`);
  const emission = {
    appIdentifier: 'shop',
    event: 'order.paid',
    payload: { order: 'o-17', total: 120 },
    idempotencyKey: 'o-17',
  };
  const emitted = dataOf(await recorder.call(system, 'POST /api/events/emit', {}, emission));
  const envelopeId = emitted['envelopeId'] ?? '';
  await until(async () => dataOf(await owner.get(`/events/envelopes/${envelopeId}`))['status'] === 'DISPATCHED');
  await recorder.call(owner, 'GET /api/events/envelopes');
  await recorder.call(owner, 'GET /api/events/envelopes/{envelopeId}', { envelopeId });
  await recorder.call(owner, 'POST /api/events/envelopes/{envelopeId}/replay', { envelopeId }, {});
  await recorder.call(
    owner,
    'POST /api/events/registered/{eventId}/emit',
    { eventId },
    { payload: { order: 'o-18', total: 90 } },
  );
  await recorder.call(
    owner,
    'POST /api/events/registered/{eventId}/test-filter',
    { eventId },
    { filter: { total: { gte: 100 } } },
  );
  await recorder.call(owner, 'GET /api/events/stats');
  await recorder.call(owner, 'PATCH /api/events/subscriptions/{subscriptionId}', { subscriptionId }, { active: false });
  await recorder.call(owner, 'DELETE /api/events/subscriptions/{subscriptionId}', { subscriptionId });
  await recorder.call(owner, 'DELETE /api/applications/{applicationId}', { applicationId });
}

const systemKeyOf = (reply: Reply): string => {
  const data = dataOf(reply) as Record<string, unknown>;
  const value = data['systemApiKey'] ?? data['key'];
  return typeof value === 'string' ? value : ((value as { key?: string } | undefined)?.key ?? '');
};

async function jobs({ space, recorder }: Scene, agentId: string): Promise<void> {
  const { owner } = space;
  const body = {
    type: 'AGENT_INVOKE',
    agentId,
    input: { inputs: { query: 'Describe our lamps.' } },
    metadata: { order: 'o-17' },
  };
  const jobId = dataOf(await recorder.call(owner, 'POST /api/agent-jobs', {}, body))['id'] ?? '';
  await until(async () => dataOf(await owner.get(`/agent-jobs/${jobId}`))['phase'] === 'SUCCEEDED');
  await recorder.call(owner, 'GET /api/agent-jobs');
  await recorder.call(owner, 'GET /api/agent-jobs/{jobId}', { jobId });
  await recorder.call(owner, 'GET /api/agent-jobs/{jobId}/content', { jobId }, undefined, '?field=result');
  const slow = {
    ...body,
    input: { inputs: { query: '@@delay 30000\n@@reply Late.' } },
    callbackUrl: 'https://shop.example/callback',
  };
  const slowId = dataOf(await owner.post('/agent-jobs', slow))['id'] ?? '';
  await recorder.call(owner, 'POST /api/agent-jobs/{jobId}/cancel', { jobId: slowId }, {});
  await until(async () => dataOf(await owner.get(`/agent-jobs/${slowId}`))['phase'] === 'CANCELLED');
  await recorder.call(owner, 'GET /api/agent-jobs/{jobId}/callback', { jobId: slowId });
}

async function activity({ space, recorder }: Scene): Promise<void> {
  const { owner } = space;
  await Promise.all([
    recorder.stream(owner, 'GET /api/activity/stream', {}, undefined, 1),
    until(async () => {
      await owner
        .post('/tasks', { name: 'Notice', steps: [{ id: 'note', type: 'transform', with: {} }] })
        .then(async (task) => owner.post(`/tasks/${dataOf(task)['id'] ?? ''}/execute`, {}));
      return 'GET /api/activity/stream' in recorder.examples;
    }),
  ]);
  const listed = await recorder.call(owner, 'GET /api/activity');
  const [row] = (listed.body as unknown as { data: { kind: string; id: string }[] }).data;
  await recorder.call(owner, 'GET /api/activity/counts');
  await recorder.call(owner, 'GET /api/activity/causes/{kind}/{id}', { kind: row?.kind ?? '', id: row?.id ?? '' });
}

async function usage({ space, recorder }: Scene): Promise<void> {
  const { owner } = space;
  await recorder.call(owner, 'GET /api/usage', {}, undefined, '?groupBy=model');
  await recorder.call(owner, 'GET /api/usage/balance');
  await recorder.call(owner, 'GET /api/usage/ledger');
}

async function secrets({ space, recorder }: Scene): Promise<void> {
  const { owner } = space;
  const body = {
    name: 'CRM_TOKEN',
    value: 'example-value',
    description: 'Token of the CRM',
    hosts: ['crm.example.com'],
  };
  const secretId = dataOf(await recorder.call(owner, 'POST /api/secrets', {}, body))['id'] ?? '';
  await recorder.call(owner, 'GET /api/secrets');
  await recorder.call(owner, 'GET /api/secrets/{secretId}', { secretId });
  await recorder.call(owner, 'PUT /api/secrets/{secretId}', { secretId }, { value: 'new-example-value' });
  await recorder.call(owner, 'DELETE /api/secrets/{secretId}', { secretId });
  await recorder.call(owner, 'GET /api/spaces/{spaceId}/security-events', { spaceId: space.id });
}

async function otherProtocols({ space, recorder }: Scene, agentId: string): Promise<void> {
  const { owner } = space;
  const messages = [{ role: 'user', content: '@@reply How can I help you?' }];
  await recorder.call(owner, 'POST /openai/v1/chat/completions', {}, { model: agentId, messages });
  await recorder.call(owner, 'GET /openai/v1/models');
  await recorder.call(owner, 'GET /openai/v1/models/{model}', { model: agentId });
  const made = await recorder.call(owner, 'POST /openai/v1/responses', {}, { model: agentId, input: 'Hello' });
  const responseId = (made.body as unknown as { id: string }).id;
  await recorder.call(owner, 'GET /openai/v1/responses/{responseId}', { responseId });
  await recorder.call(owner, 'GET /openai/v1/responses/{responseId}/input_items', { responseId });
  await recorder.call(owner, 'POST /openai/v1/responses/{responseId}/cancel', { responseId });
  await recorder.call(owner, 'GET /models/v1/{path}', { path: 'models' });
  await recorder.call(owner, 'POST /models/v1/{path}', { path: 'chat/completions' }, { model: 'sim-chat', messages });
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  await recorder.call(owner, 'POST /mcp', {}, ping);
  const run = {
    threadId: crypto.randomUUID(),
    runId: crypto.randomUUID(),
    messages: [{ id: 'm-1', role: 'user', content: 'Hello' }],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
  };
  await recorder.stream(owner, 'POST /ag-ui/{agentId}', { agentId }, run);
  await langGraph({ owner, recorder, agentId });
}

async function langGraph({ owner, recorder, agentId }: AgentScene): Promise<void> {
  await recorder.call(owner, 'POST /langgraph/assistants/search', {}, { limit: 10 });
  await recorder.call(owner, 'GET /langgraph/assistants/{assistantId}', { assistantId: agentId });
  const made = await recorder.call(owner, 'POST /langgraph/threads', {}, { metadata: { graph_id: agentId } });
  const threadId = (made.body as unknown as { thread_id: string }).thread_id;
  await recorder.call(owner, 'GET /langgraph/threads/{threadId}', { threadId });
  const command = {
    id: 1,
    method: 'run.start',
    params: { assistant_id: agentId, input: { messages: [{ role: 'user', content: 'Hello' }] } },
  };
  const started = await recorder.call(owner, 'POST /langgraph/threads/{threadId}/commands', { threadId }, command);
  const { result } = started.body as unknown as { result?: { run_id?: string } };
  const runId = result?.run_id ?? '';
  await recorder.call(owner, 'GET /langgraph/threads/{threadId}/state', { threadId });
  await recorder.stream(
    owner,
    'POST /langgraph/threads/{threadId}/stream/events',
    { threadId },
    { channels: ['messages'] },
    3,
  );
  await recorder.call(owner, 'POST /langgraph/threads/{threadId}/history', { threadId }, { limit: 10 });
  await recorder.call(owner, 'POST /langgraph/threads/{threadId}/runs/{runId}/cancel', { threadId, runId });
}

async function operators({ space, ada, operator, recorder }: Scene): Promise<void> {
  const of = { spaceId: space.id };
  await recorder.call(operator, 'GET /api/operator/spaces');
  await recorder.call(operator, 'GET /api/operator/spaces/{spaceId}', of);
  const owner = { email: `grace-${space.id}@example.com` };
  await recorder.call(operator, 'POST /api/operator/spaces', {}, { name: 'Research', owner });
  await recorder.call(operator, 'PATCH /api/operator/spaces/{spaceId}', of, { ceilings: { agents: 50 } });
  await recorder.call(operator, 'POST /api/operator/spaces/{spaceId}/credits', of, {
    tokens: 500_000,
    note: 'Invoice 17',
  });
  await recorder.call(operator, 'POST /api/operator/spaces/{spaceId}/suspend', of, { reason: 'Payment is overdue' });
  await recorder.call(operator, 'POST /api/operator/spaces/{spaceId}/resume', of, {});
  await recorder.call(operator, 'GET /api/operator/top', {}, undefined, '?by=turns');
  await recorder.call(operator, 'GET /api/operator/users');
  await recorder.call(operator, 'GET /api/operator/operators');
  await recorder.call(operator, 'GET /api/operator/events');
  await recorder.call(operator, 'GET /api/operator/dead-letters');
  await recorder.call(operator, 'GET /api/operator/poisoned');
  const user = { userId: ada.identity.userId ?? '' };
  await recorder.call(operator, 'GET /api/operator/users/{userId}', user);
  await recorder.call(operator, 'POST /api/operator/users/{userId}/grant', user, {});
  await recorder.call(operator, 'POST /api/operator/users/{userId}/revoke', user, {});
  const reset = await recorder.call(operator, 'POST /api/operator/users/{userId}/reset-password', user, {});
  const { token } = dataOf(reset);
  await recorder.call(
    space.owner.as(null),
    'POST /api/auth/password/reset',
    {},
    { token, password: 'a new long password' },
  );
  await recorder.call(operator, 'POST /api/operator/users/{userId}/disable', user, {});
  await recorder.call(operator, 'POST /api/operator/users/{userId}/enable', user, {});
  const key = dataOf(
    await recorder.call(operator, 'POST /api/operator/keys', {}, { name: 'monitoring', scopes: ['operator:read'] }),
  );
  const keyId = key['id'] ?? '';
  await recorder.call(operator, 'GET /api/operator/keys');
  await recorder.call(operator, 'POST /api/operator/keys/{keyId}/rotate', { keyId }, { graceSeconds: 3600 });
  await recorder.call(operator, 'POST /api/operator/keys/{keyId}/revoke', { keyId }, {});
  await recorder.call(operator, 'POST /api/spaces', {}, { name: 'Research' });
}

async function removals({ space, ada, recorder }: Scene, ids: Record<string, string>): Promise<void> {
  const { owner, id: spaceId } = space;
  await recorder.call(owner, 'DELETE /api/agents/sessions/{sessionId}', ids);
  await recorder.call(owner, 'DELETE /api/agents/{agentId}', ids);
  await recorder.call(owner, 'DELETE /api/tasks/{taskId}', ids);
  await recorder.call(owner, 'DELETE /api/datasets/{datasetId}', ids);
  const member = { spaceId, userId: ada.identity.userId ?? '' };
  await recorder.call(owner, 'DELETE /api/spaces/{spaceId}/members/{userId}', member);
}
