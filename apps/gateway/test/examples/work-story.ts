import { type Client, type Reply, until } from '@switchyard/testing';
import type { ExampleRecorder } from './recorder';
import { dataOf, type StoryContext } from './story-context';

export async function datasets({ space, recorder }: StoryContext): Promise<string> {
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

export async function tasks({ space, recorder }: StoryContext): Promise<string> {
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
  await recorder.call(owner, 'GET /api/tasks/{taskId}/usage', { taskId });
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
  await recorder.call(owner, 'POST /api/tasks/executions/{executionId}/try', { executionId }, { stepId: 'report' });
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

export async function events({ space, recorder }: StoryContext, _taskId: string): Promise<void> {
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
  await endpoints({ recorder, owner, envelopeId });
  await recorder.call(owner, 'DELETE /api/applications/{applicationId}', { applicationId });
}

async function endpoints({
  recorder,
  owner,
  envelopeId,
}: Pick<StoryContext, 'recorder'> & { owner: Client; envelopeId: string }): Promise<void> {
  // The port is closed.
  const url = 'https://127.0.0.2:9/events';
  const made = dataOf(
    await recorder.call(
      owner,
      'POST /api/events/endpoints',
      {},
      { name: 'billing', url, headers: { 'X-Team': 'blue' } },
    ),
  );
  const endpointId = made['id'] ?? '';
  const path = { endpointId };
  await recorder.call(owner, 'GET /api/events/endpoints');
  await recorder.call(owner, 'GET /api/events/endpoints/{endpointId}', path);
  await recorder.call(owner, 'POST /api/events/endpoints/{endpointId}/test', path, {});
  await owner.post(`/events/envelopes/${envelopeId}/replay`, { endpointId });
  await until(async () => {
    const { body } = await owner.get(`/events/endpoints/${endpointId}/deliveries`);
    return ((body.data as { attemptCount: number }[] | undefined)?.[0]?.attemptCount ?? 0) > 0;
  });
  await recorder.call(owner, 'GET /api/events/endpoints/{endpointId}/deliveries', path);
  await recorder.call(owner, 'PATCH /api/events/endpoints/{endpointId}', path, { inFlight: 8 });
  await recorder.call(owner, 'POST /api/events/endpoints/{endpointId}/rotate-secret', path, { graceSeconds: 3600 });
  await recorder.call(owner, 'POST /api/events/endpoints/{endpointId}/resume', path);
  const since = { from: '2026-01-01T00:00:00.000Z', status: 'FAILED' };
  await recorder.call(owner, 'POST /api/events/endpoints/{endpointId}/replay', path, since);
  await recorder.call(owner, 'DELETE /api/events/endpoints/{endpointId}', path);
}

const systemKeyOf = (reply: Reply): string => {
  const data = dataOf(reply) as Record<string, unknown>;
  const value = data['systemApiKey'] ?? data['key'];
  return typeof value === 'string' ? value : ((value as { key?: string } | undefined)?.key ?? '');
};

export async function jobs({ space, recorder }: StoryContext, agentId: string): Promise<void> {
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
