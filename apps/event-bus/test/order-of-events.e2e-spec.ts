import { Database } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { type TestSpace, usePlatform } from '@switchyard/testing';
import { WaitingEmissionsRepository } from '../src/db/undispatched-emissions.repository';
import { install } from './an-application';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const waiting = new WaitingEmissionsRepository();
/** A lane that no dispatcher looks at. */
const TEST_SHARD = 98;
const slot = `lane ${TEST_SHARD}`;

let database: Database;
let space: TestSpace;
let identifier: string;

beforeAll(async () => {
  space = await platform.newSpace();
  ({ identifier } = await install(space));
  const url = platform.state.databaseLogins['event-bus'] ?? '';
  database = new Database({ service: 'event-bus', url, poolSize: 2, log });
  await database.connect();
});
afterEach(async () => {
  await platform.database.query('delete from event_bus.emissions where lane = $1', [TEST_SHARD]);
  await platform.database.query('delete from event_bus.running_work where slot = $1', [slot]);
});
afterAll(() => database.close());

/** Recorded in this order. */
async function emit(event: string): Promise<string> {
  const id = newId();
  await platform.database.query(
    `insert into event_bus.emissions (space_id, id, event_id, event, app_identifier, payload, payload_bytes, source, status,
       correlation_id, depth, lane, emitted_at, next_attempt_at)
     select space_id, $2, id, $5, $4, '{}', 2, 'app', 'PENDING', $2, 0, $3, now(), now()
       from event_bus.registered_events where space_id = $1 and name = $5`,
    [space.id, id, TEST_SHARD, identifier, event],
  );
  return id;
}

const take = async (worker: string, limit: number, others: string[] = []): Promise<string[]> => {
  const read = waiting.oldest({ lane: TEST_SHARD, limit, worker, slot }, others);
  const [rows = []] = await database.systemWrite('take waiting emissions', [read]);
  return rows.map((row) => row['id'] as string);
};

test.each([
  ['all Spaces', []],
  ['other Spaces', [newId()]],
])('a second process leaves later emissions of an event to the one that has its first (%s)', async (_, others) => {
  const ids = [await emit('order.created'), await emit('order.created'), await emit('order.created')];
  expect(await take('a', 1, others)).toEqual(ids.slice(0, 1));
  expect(await take('b', 10, others)).toEqual([]);
  // The same process begins anew: its own mark had stayed.
  expect(await take('a', 10, others)).toEqual(ids);
});

test('emissions that are set apart hold up no other event, however many there are', async () => {
  const taken = [];
  for (let count = 0; count < 5; count += 1) taken.push(await emit('order.created'));
  const other = await emit('order.paid');
  expect(await take('a', 5)).toEqual(taken);
  expect(await take('b', 2)).toEqual([other]);
});

test('what was lost once holds up its own event alone', async () => {
  const isolated = await emit('order.created');
  const behind = await emit('order.created');
  const other = await emit('order.paid');
  await platform.database.query(
    `insert into event_bus.lost_work (kind, id, space_id, losses) values ('emission', $1, $2, 1)`,
    [isolated, space.id],
  );
  expect(await take('a', 10)).toEqual([other]);
  await platform.database.query(`delete from event_bus.lost_work where id = $1`, [isolated]);
  expect(await take('a', 10)).toEqual([isolated, behind, other]);
});

test('nothing is taken for a while after a loss that blames no emission, until what was lost has run alone', async () => {
  const fresh = await emit('order.paid');
  const suspect = newId();
  const trial = `insert into lost_work (kind, id, losses) values ('trial of marked work', '00000000-0000-0000-0000-000000000000', 1)
    on conflict (kind, id) do update set losses = 1, lost_at = clock_timestamp()`;
  const read = waiting.oldest({ lane: TEST_SHARD, limit: 10, worker: 'a', slot }, []);
  const taken: string[][] = [];
  // In a transaction that is undone, so that no service takes part.
  const undone = database.system('try a loss out', async (tx) => {
    const take = async () => (await tx.statement<{ id: string }>(read)).map(({ id }) => id);
    await tx.run(trial);
    await tx.run(`insert into lost_work (kind, id, losses) values ('emission', $1, 1)`, [suspect]);
    taken.push(await take());
    await tx.run('delete from lost_work where id = $1', [suspect]);
    taken.push(await take());
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(taken).toEqual([[], [fresh]]);
});
