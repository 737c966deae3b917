import { type Answer, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { type Planted, plant, plantableColumns, removeRows } from './planted/columns';
import { contentsOf, dataOf } from './planted/maker';
import { type PlantedScene, plantedScene } from './planted/scene';
import { countDeaths } from './support/process-deaths';

const SERVICES = ['agent', 'session', 'task', 'job', 'event-bus', 'dataset', 'key', 'relay', 'gateway'];
/** The kill of the test, and two that a stored value may cause. */
const MOST_ENDS = 1 + 2;
const PATIENCE = { timeoutMs: 120_000 };

/** Columns that services read when they start, or in loops, without a request that names the row. */
const COLUMNS = [
  'agent.agents.body',
  'dataset.datasets.schema',
  'dataset.import_parts.rows',
  'event_bus.application_changes.watches',
  'event_bus.endpoints.headers',
  'event_bus.subscriptions.filter',
  'job.callbacks.body',
  'job.jobs.input',
  'key.spaces.settings',
  'session.agent_latency.durations',
  'session.interactions.form',
  'session.turns.state',
  'task.tasks.schedule',
  'task.tasks.steps',
];
/** Read from the list of suspended Spaces, by each service that keeps their times from moving. */
const OF_SUSPENDED = 'key.spaces.suspended_reason';

/** Brings the time of the loops that read the planted rows. */
const DUE = [
  `update event_bus.application_changes set started_at = 'epoch' where space_id = $1`,
  `update job.callbacks set due_at = now(), delivered_at = null, given_up_at = null where space_id = $1`,
  `update session.interactions set expires_at = now() where space_id = $1 and status = 'PENDING'`,
  `update task.tasks set next_run_at = now() where space_id = $1 and type = 'SCHEDULE'`,
];

const platform = usePlatform();
let planted: PlantedScene;
let suspended: TestSpace;
let other: PlantedScene;
const undone: (() => Promise<void>)[] = [];

async function plantAll(names: readonly string[], spaceId: string): Promise<Record<string, Planted['state']>> {
  const states: Record<string, Planted['state']> = {};
  for (const column of await plantableColumns(platform)) {
    const name = `${column.table}.${column.name}`;
    if (!names.includes(name)) continue;
    const result = await plant(platform, column, spaceId);
    if (result.state === 'planted') undone.push(result.undo);
    states[name] = result.state;
  }
  return states;
}

const allPlanted = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, 'planted']));

/** A turn, an execution, a job, an emission with its delivery and a search, each to its end. */
async function worksToTheEnd({ space: { owner }, ids }: PlantedScene): Promise<void> {
  const get = async (path: string): Promise<Answer> => dataOf(await owner.get(path), path);
  // Right after the start a service may not know the limits of the Space yet.
  const post = (path: string, body: object): Promise<Answer> =>
    until(async () => {
      const reply = await owner.post(path, body);
      return reply.status === 503 ? null : dataOf(reply, path);
    }, PATIENCE);
  const reaches = (path: string, field: string, end: string): Promise<true> =>
    until(async () => ((await get(path))[field] === end ? true : null), PATIENCE);
  await post(`/agents/${ids.agentId}/chat`, { stream: false, contents: contentsOf('hi') });
  const { id: execution } = await post(`/tasks/${ids.taskId}/execute`, { inputs: {} });
  await reaches(`/tasks/executions/${execution as string}`, 'status', 'SUCCEEDED');
  const job = { type: 'AGENT_INVOKE', agentId: ids.agentId, input: { inputs: { query: 'x' } } };
  const { id: jobId } = await post('/agent-jobs', job);
  await reaches(`/agent-jobs/${jobId as string}`, 'phase', 'SUCCEEDED');
  const emitted = await post(`/events/registered/${ids.eventId}/emit`, { payload: { a: 1 } });
  await reaches(`/events/envelopes/${emitted.envelopeId as string}`, 'status', 'DISPATCHED');
  await post(`/datasets/${ids.datasetId}/data/insert`, { records: [{ text: 'z' }] });
  await post(`/datasets/${ids.datasetId}/data/search`, { query: 'z' });
}

describe('values of 17 MiB in what services read at their start and in loops', () => {
  beforeAll(async () => {
    planted = await plantedScene(platform);
    other = await plantedScene(platform);
    suspended = await platform.newSpace();
    const path = `/operator/spaces/${suspended.id}/suspend`;
    dataOf(await suspended.operator.post(path, { reason: 'planted' }), path);
  }, 200_000);

  afterAll(async () => {
    for (const undo of undone) await undo();
    await removeRows(platform, planted.space.id);
    await removeRows(platform, suspended.id);
  }, 200_000);

  it('keep no service from starting, and no other Space from working', async () => {
    expect(await plantAll(COLUMNS, planted.space.id)).toEqual(allPlanted(COLUMNS));
    expect(await plantAll([OF_SUSPENDED], suspended.id)).toEqual(allPlanted([OF_SUSPENDED]));
    const counts = SERVICES.map((name) => ({ name, count: countDeaths(platform.service(name)) }));
    for (const statement of DUE) await platform.database.query(statement, [planted.space.id]);
    await Promise.all(SERVICES.map((name) => platform.service(name).kill()));
    await Promise.all(SERVICES.map((name) => platform.service(name).ready(PATIENCE)));

    await worksToTheEnd(other);
    // Witnesses of the loops: each has taken up its planted row, or has given it up.
    await until(async () => {
      const waiting = await platform.database.query(
        `select 1 from event_bus.application_changes where space_id = $1 and attempt = 0
       union all select 1 from job.callbacks where space_id = $1 and due_at < now() and given_up_at is null`,
        [planted.space.id],
      );
      return waiting.length === 0 ? true : null;
    }, PATIENCE);
    await worksToTheEnd(other);
    for (const { count } of counts) count.end();
    await Promise.all(SERVICES.map((name) => platform.service(name).ready(PATIENCE)));
    expect(counts.map(({ name, count }) => ({ name, isBounded: count.deaths() <= MOST_ENDS }))).toEqual(
      SERVICES.map((name) => ({ name, isBounded: true })),
    );
  }, 600_000);
});
