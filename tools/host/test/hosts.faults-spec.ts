import { type TestSpace, until } from '@switchyard/testing';
import { emission, install } from '../../../apps/event-bus/test/an-application';
import { subscribe } from '../../../apps/event-bus/test/watching';
import { AGENT, contentsOf } from '../../../apps/agent/test/talk';
import { SERVICES } from '../../launcher/service-names';
import { hostsOf } from '../hosts';
import { HostsPlatform } from './hosts-platform';
import { Load } from './load';

const hosts = new HostsPlatform();
const { platform, database } = hosts;
const names = hostsOf(SERVICES).map(({ name }) => name);
const PATIENCE = { timeoutMs: 180_000, everyMs: 250 };
/** So much of each load is acknowledged before a process is killed, and again after it. */
const SOME = 10;
let space: TestSpace;

beforeAll(async () => {
  space = await hosts.start();
}, 300_000);

afterAll(() => hosts.remove(), 120_000);

test('each host is one process with all of its services, and each of them has metrics of its own', async () => {
  const pids = names.map((name) => platform.pids[name]);
  expect(new Set(pids).size).toBe(4);
  for (const { name, services } of hostsOf(SERVICES)) {
    for (const [index, service] of services.entries()) {
      expect(platform.pids[service]).toBe(platform.pids[name]);
      const text = await hosts.metrics(service);
      expect([...new Set(text.match(/service="[^"]+"/g))]).toEqual([`service="${service}"`]);
      // Counted once for each process, so that sums over services are right.
      expect(text.includes('process_resident_memory_bytes')).toBe(index === 0);
      expect(text.includes('switchyard_event_loop_delay_seconds_bucket')).toBe(index === 0);
      expect(text).toMatch(/^process_start_time_seconds\{/m);
    }
  }
});

test('the relay has a journal of its settlements', async () => {
  await until(async () => /^switchyard_relay_journal_open\{.*\} 1$/m.test(await hosts.metrics('relay')));
});

test('after kill -9 of each host its services have a process each; nothing acknowledged is lost, or repeated', async () => {
  const { owner } = space;
  const create = async (path: string, body: object): Promise<string> => (await owner.post(path, body)).body.data.id;
  const datasetId = await create('/datasets', { name: 'D', schema: { fields: [{ name: 'order', type: 'string' }] } });
  const agentId = await create('/agents', AGENT);
  const insert = {
    id: 'insert',
    type: 'dataset',
    with: { datasetId, operation: 'insert', records: [{ order: '{{ execution.inputs.trigger.payload.order }}' }] },
  };
  const taskId = await create('/tasks', { name: 'T', type: 'EVENT', active: true, steps: [insert] });
  const installed = await install(space);
  await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', taskId });

  const emissions = new Load(3, (order) =>
    installed.app.post('/events/emit', emission(installed, { payload: { order }, idempotencyKey: order })),
  );
  const turns = new Load(3, (turnId) =>
    owner.post(`/agents/${agentId}/chat`, { ...contentsOf(`Say ${turnId}.\n@@tokens 20`), turnId, stream: false }),
  );
  const jobs = new Load(2, (key) =>
    owner.post(
      '/agent-jobs',
      { type: 'AGENT_INVOKE', agentId, input: { inputs: { query: '@@tokens 5' } } },
      { headers: { 'idempotency-key': key } },
    ),
  );
  const keys = new Load(2, (name) => owner.post('/api-keys', { name }, { headers: { 'idempotency-key': name } }));
  const calls = new Load(2, () =>
    owner.raw('POST', '/models/v1/chat/completions', {
      model: 'sim-chat',
      messages: [{ role: 'user', content: '@@reply hi' }],
    }),
  );
  const loads = { emissions, turns, jobs, keys, calls };
  const continues = async (): Promise<void> => {
    const before = Object.values(loads).map(({ count }) => count);
    await until(() => Object.values(loads).every(({ count }, index) => count >= (before[index] ?? 0) + SOME), PATIENCE);
  };

  await continues();
  for (const { name, services } of hostsOf(SERVICES)) {
    const pid = platform.pids[name];
    if (!pid) throw new Error(`${name} does not run`);
    process.kill(pid, 'SIGKILL');
    await until(() => !platform.processes.has(name) && services.every((service) => platform.pids[service]), PATIENCE);
    await continues();
    expect(
      hosts.printed.filter((line) => line.startsWith(`${name} ended (SIGKILL); its services run in`)),
    ).toHaveLength(1);
  }
  expect(new Set(SERVICES.map((service) => platform.pids[service])).size).toBe(SERVICES.length);
  for (const service of SERVICES) expect(await hosts.metrics(service)).toContain('process_resident_memory_bytes');
  await Promise.all(Object.values(loads).map((load) => load.stop()));
  expect(Object.entries(loads).map(([kind, { failures }]) => [kind, failures])).toEqual(
    Object.keys(loads).map((kind) => [kind, []]),
  );

  const column = async (sql: string, parameters: unknown[] = []): Promise<unknown[]> =>
    (await database.query<{ value: string }>(sql, parameters)).map(({ value }) => value).sort();
  const ended = (states: () => Promise<unknown[]>): Promise<unknown[]> =>
    until(async () => {
      const found = await states();
      return found.length === 1 ? found : null;
    }, PATIENCE);

  // Each emission has one execution, which ran its step once.
  await until(
    async () => (await owner.post(`/datasets/${datasetId}/data/count`, {})).body.data.count >= emissions.count,
    PATIENCE,
  );
  const executions = await database.query<{ status: string; order: string }>(
    `select status, inputs->'trigger'->'payload'->>'order' as "order" from task.executions where task_id = $1`,
    [taskId],
  );
  expect(executions.map(({ order }) => order).sort()).toEqual(emissions.names);
  expect(await ended(() => column('select distinct status as value from task.executions'))).toEqual(['SUCCEEDED']);
  expect((await owner.post(`/datasets/${datasetId}/data/count`, {})).body.data).toEqual({ count: emissions.count });

  // Each turn has the response that was acknowledged.
  const again = await Promise.all(
    turns.names.slice(0, 20).map(async (turnId) => {
      const body = { ...contentsOf(`Say ${turnId}.\n@@tokens 20`), turnId, stream: false };
      return (await owner.post(`/agents/${agentId}/chat`, body)).body.data.answer as string;
    }),
  );
  expect(again).toEqual(turns.names.slice(0, 20).map((turnId) => turns.acknowledged.get(turnId).answer));
  const statuses = 'select distinct status as value from session.turns where turn_id = any($1)';
  expect(await ended(() => column(statuses, [turns.names]))).toEqual(['COMPLETED']);

  // Each job ran to its end, and a repeated submission made no second one.
  const jobIds = [...jobs.acknowledged.values()].map(({ id }) => id as string);
  expect(new Set(jobIds).size).toBe(jobs.count);
  expect(await ended(() => column('select distinct phase as value from job.jobs'))).toEqual(['SUCCEEDED']);
  expect(await column('select count(*)::int as value from job.jobs')).toEqual([jobs.count]);

  expect(await column('select name as value from key.api_keys where name = any($1)', [keys.names])).toEqual(keys.names);
  // No work was taken for the one that ends processes.
  expect((await owner.get('/operator/poisoned?limit=100')).body.data).toEqual([]);
}, 900_000);
