import { until } from '@switchyard/testing';
import { contentsOf, type Maker } from './maker';

const END = { id: 'end', type: 'transform', with: { n: 1 } };

/** Records with vectors, in a dataset that also has an import. */
export async function datasets(maker: Maker): Promise<Record<'datasetId' | 'importId' | 'importDatasetId', string>> {
  const fields = [
    { name: 'text', type: 'text', default: 'x', vector: true },
    { name: 'j', type: 'json' },
  ];
  const { id: datasetId } = await maker.create('/datasets', { name: 'D', description: 'd', schema: { fields } });
  const records = [{ text: 'a', j: { b: 1 } }, { text: 'c' }];
  await maker.create(`/datasets/${datasetId}/data/insert`, { records });
  const bulk = await maker.create('/datasets', { name: 'B', schema: { fields: [{ name: 't', type: 'string' }] } });
  const lines = Array.from({ length: 60_000 }, (_, at) => `{"t":"part-${at}"}`).join('\n');
  const headers = { 'content-type': 'application/x-ndjson' };
  const accepted = await maker.owner.post(`/datasets/${bulk.id as string}/import`, lines, { headers });
  return { datasetId, importId: accepted.body.data.id, importDatasetId: bulk.id };
}

/** Tasks and executions in each state: done, failed, tried, started by a key and by another task. */
export async function tasks(
  maker: Maker,
  datasetId: string,
  emission: object,
): Promise<Record<'taskId' | 'executionId', string>> {
  const key = await maker.space.key({ scopes: ['*'] });
  const task = { name: 'T', description: 'd', inputs: { a: 1 }, metadata: { a: 1 }, steps: [END] };
  const { id: taskId } = await maker.create('/tasks', { ...task, type: 'EVENT', active: true });
  await maker.create('/tasks', { ...task, type: 'SCHEDULE', schedule: { cron: '0 0 1 1 *' } }, key);
  const executionId = await run(maker, taskId, { inputs: { a: 'b' } }, 'SUCCEEDED', key);
  await maker.create(`/tasks/executions/${executionId}/try`, { stepId: 'end' });
  const insert = { id: 'i', type: 'dataset', with: { datasetId, operation: 'insert', records: [{ text: 't' }] } };
  const emit = { id: 'e', type: 'emit', with: emission };
  const steps = [insert, emit];
  const { id: writing } = await maker.create('/tasks', { name: 'W', steps });
  await run(maker, writing, {}, 'SUCCEEDED');
  const { id: failing } = await maker.create('/tasks', {
    name: 'F',
    steps: [{ id: 'e', type: 'emit', with: { appIdentifier: 'none', event: 'none', payload: {} } }],
  });
  await run(maker, failing, {}, 'FAILED');
  return { taskId, executionId };
}

async function run(maker: Maker, taskId: string, body: object, end: string, by = maker.owner): Promise<string> {
  const { id } = await maker.create(`/tasks/${taskId}/execute`, body, by);
  await until(async () => {
    const { status } = (await maker.owner.get(`/tasks/executions/${id as string}`)).body.data;
    if (status !== end && ['SUCCEEDED', 'FAILED'].includes(status as string))
      throw new Error(`the execution has ended as ${status as string}`);
    return status === end;
  });
  return id as string;
}

/** Jobs that are done, that failed, and that wait for an answer. */
export async function jobs(maker: Maker, agentId: string): Promise<{ jobId: string; job: object }> {
  const job = { type: 'AGENT_INVOKE', agentId, input: { inputs: { query: 'x' } }, metadata: { a: 1 } };
  const submit = async (body: object, phase: string): Promise<string> => {
    const { id } = await maker.create('/agent-jobs', body);
    await until(async () => (await maker.owner.get(`/agent-jobs/${id as string}`)).body.data.phase === phase);
    return id as string;
  };
  const jobId = await submit({ ...job, callbackUrl: 'http://127.0.0.2:9/hook' }, 'SUCCEEDED');
  const inputOf = (message: string): object => ({ ...job, input: { contents: contentsOf(message) } });
  await submit(inputOf('@@error 400 no'), 'FAILED');
  const question = { kind: 'single_choice', prompt: 'Which?', options: [{ id: 'a', label: 'A' }] };
  const session = await maker.create('/agents/sessions', { agentId, title: 'of a job' });
  const asking = { contents: contentsOf(`@@tool ask_user ${JSON.stringify(question)}`), session_id: session.id };
  await submit({ ...job, input: asking }, 'WAITING_INPUT');
  return { jobId, job };
}
