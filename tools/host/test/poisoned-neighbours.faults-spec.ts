import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { poisonFor } from '@switchyard/kernel';
import { type TestSpace, until } from '@switchyard/testing';
import { dataOf, emission, install } from '../../../apps/event-bus/test/an-application';
import { subscribe } from '../../../apps/event-bus/test/watching';
import { countDeaths } from '../../../apps/gateway/test/support/process-deaths';
import { HostsPlatform } from './hosts-platform';

const PATIENCE = { timeoutMs: 200_000, everyMs: 100 };
const HOST = 'event-bus+task';

const hosts = new HostsPlatform();
const { platform, database } = hosts;
let space: TestSpace;

/** Answers requests only when told to. */
const waiting: ServerResponse[] = [];
let isOpen = false;
const receiver = createServer((request, response) => {
  request.resume();
  if (isOpen) response.end();
  else waiting.push(response);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.2', resolve));
  space = await hosts.start();
}, 300_000);

afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await hosts.remove();
}, 120_000);

const deaths = (service: string): ReturnType<typeof countDeaths> =>
  countDeaths({
    get pid() {
      return platform.pids[service] ?? null;
    },
  });

test('an execution that ends its host fails alone: a delivery that was lost with it is delivered', async () => {
  const { owner } = space;
  const task = async (name: string): Promise<string> =>
    dataOf(await owner.post('/tasks', { name, steps: [{ id: 'end', type: 'transform', with: { n: 1 } }] }), 201)
      .id as string;
  const [badTask, goodTask] = [await task('Bad'), await task('Good')];
  const url = `http://127.0.0.2:${(receiver.address() as AddressInfo).port}/hook`;
  const endpointId = dataOf(await owner.post('/events/endpoints', { name: 'hook', url }), 201).id as string;
  const installed = await install(space);
  await subscribe(space, { appIdentifier: installed.identifier, event: 'order.created', endpointId });
  const counts = { bus: deaths('event-bus'), task: deaths('task') };

  dataOf(await installed.app.post('/events/emit', emission(installed)), 202);
  await until(() => waiting.length === 1, PATIENCE);
  const good = await Promise.all(
    Array.from({ length: 3 }, async () => dataOf(await owner.post(`/tasks/${goodTask}/execute`, {}), 202).id as string),
  );
  // The reply is lost with the process.
  const poison = { inputs: { text: poisonFor('task.execution') } };
  const reply = owner.post(`/tasks/${badTask}/execute`, poison).catch(() => undefined);

  // The task service waits before its second run of the execution until the delivery, which was lost with the host, is
  // in progress again. A delivery that is not answered in 15 seconds is no longer counted as lost.
  const pid = await until(() => (platform.processes.has('task') ? platform.pids.task : null), {
    ...PATIENCE,
    everyMs: 5,
  });
  process.kill(pid, 'SIGSTOP');
  const takeovers = 'select takeovers from event_bus.endpoint_deliveries where endpoint_id = $1 and worker is not null';
  await until(async () => {
    const rows = await database.query<{ takeovers: number }>(takeovers, [endpointId]);
    return waiting.length >= 2 && rows.map((row) => row.takeovers).join() === '1';
  }, PATIENCE);
  process.kill(pid, 'SIGCONT');
  await reply;

  // None while a service that is asked starts.
  const poisoned = async (): Promise<{ kind: string; losses: number }[] | undefined> =>
    (await owner.get('/operator/poisoned?limit=100')).body.data;
  const given = await until(async () => {
    const rows = await poisoned();
    return rows && rows.length > 0 ? rows : null;
  }, PATIENCE);
  expect(given).toMatchObject([{ kind: 'execution', losses: 2 }]);
  expect([counts.bus.deaths(), counts.task.deaths()]).toEqual([1, 2]);
  expect(hosts.printed.filter((line) => line.startsWith(`${HOST} ended (SIGKILL); its services run in`))).toHaveLength(
    1,
  );
  counts.bus.end();
  counts.task.end();

  isOpen = true;
  for (const response of waiting) response.end();
  const deliveries = 'select distinct status as value from event_bus.endpoint_deliveries where endpoint_id = $1';
  const states = async (): Promise<string[]> =>
    (await database.query<{ value: string }>(deliveries, [endpointId])).map(({ value }) => value);
  await until(async () => (await states()).join() === 'DELIVERED', PATIENCE);
  const executions = await database.query<{ id: string; task: string; status: string }>(
    'select id, task_id as task, status from task.executions',
  );
  expect(executions.filter(({ task: id }) => id === badTask).map(({ status }) => status)).toEqual(['FAILED']);
  for (const id of good) expect(executions).toContainEqual({ id, task: goodTask, status: 'SUCCEEDED' });
  expect(await poisoned()).toHaveLength(1);
}, 600_000);
