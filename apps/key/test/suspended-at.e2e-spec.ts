import { Database } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { type TestSpace, usePlatform } from '@switchyard/testing';
import { SpacesRepository } from '../src/db/spaces.repository';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };

const decide = async (space: TestSpace, verb: 'suspend' | 'resume', body = {}): Promise<void> => {
  expect((await space.operator.post(`/operator/spaces/${space.id}/${verb}`, body)).status).toBe(200);
};
const suspendedAt = async (spaceId: string): Promise<string | null> =>
  (
    await platform.database.query<{ at: string | null }>(
      `select to_char(suspended_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at from key.spaces where space_id = $1`,
      [spaceId],
    )
  )[0]!.at;

describe('the time at which a Space was suspended', () => {
  let database: Database;

  beforeAll(async () => {
    const url = platform.state.databaseLogins['key'] ?? '';
    database = new Database({ service: 'key', url, poolSize: 1, log });
    await database.connect();
  });
  afterAll(() => database.close());

  it('stays when another reason is given, and goes when the Space is resumed', async () => {
    const space = await platform.newSpace();
    expect(await suspendedAt(space.id)).toBeNull();
    await decide(space, 'suspend', { reason: 'a test' });
    await platform.database.query(`update key.spaces set suspended_at = '2026-01-01 12:30:00+00' where space_id = $1`, [
      space.id,
    ]);
    await decide(space, 'suspend', { reason: 'another reason' });
    expect(await suspendedAt(space.id)).toBe('2026-01-01 12:30');
    await decide(space, 'resume');
    expect(await suspendedAt(space.id)).toBeNull();
    // For services that were away meanwhile.
    const [last] = await platform.database.query(
      `select to_char(last_suspended_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as began,
         last_resumed_at > now() - interval '1 minute' as "endsNow" from key.spaces where space_id = $1`,
      [space.id],
    );
    expect(last).toEqual({ began: '2026-01-01 12:30', endsNow: true });
  });

  it('is listed for each suspension that has ended, in their order', async () => {
    const space = await platform.newSpace();
    for (const [hours, action] of [
      [72, 'space.suspended'],
      [71.5, 'space.suspended'],
      [71, 'space.resumed'],
    ] as const)
      await platform.database.query(
        `insert into key.space_events (space_id, id, action, request_id, at)
         values ($1, $2, $3, 'x', now() - make_interval(mins => $4))`,
        [space.id, newId(), action, hours * 60],
      );
    await decide(space, 'suspend', { reason: 'a test' });
    await decide(space, 'resume');
    // The last one is read from the Space itself.
    await platform.database.query(
      `update key.spaces set last_suspended_at = now() - interval '1 day', last_resumed_at = now() - interval '23 hours' where space_id = $1`,
      [space.id],
    );
    const before = (BigInt(`0x${space.id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0');
    const listed = await database.system('list suspensions', (tx) =>
      new SpacesRepository().listResumed(tx, '2020-01-01T00:00:00Z', before, 1),
    );
    const hours = (at = ''): number => Math.round((Date.now() - Date.parse(at)) / 3_600_000);
    expect(listed.map(({ spaceId }) => spaceId)).toEqual([space.id, space.id]);
    expect(listed.map(({ suspendedAt, resumedAt }) => [hours(suspendedAt), hours(resumedAt)])).toEqual([
      [72, 71],
      [24, 23],
    ]);
  });

  it('is listed for the last of very many suspensions', async () => {
    const space = await platform.newSpace();
    await platform.database.query(
      `insert into key.space_events (space_id, id, action, request_id, at)
       select $1, gen_random_uuid(), action, 'x', now() - make_interval(mins => 100 - n * 2 + shift)
       from generate_series(1, 30) n, (values ('space.suspended', 0), ('space.resumed', -1)) pair (action, shift)`,
      [space.id],
    );
    await decide(space, 'suspend', { reason: 'a test' });
    await decide(space, 'resume');
    const before = (BigInt(`0x${space.id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0');
    const listed = await database.system('list suspensions', (tx) =>
      new SpacesRepository().listResumed(tx, '2020-01-01T00:00:00Z', before, 1),
    );
    const minutes = listed.map(({ suspendedAt }) => Math.round((Date.now() - Date.parse(suspendedAt)) / 60_000));
    expect(minutes).toHaveLength(21);
    // Those from 80 to 42 minutes ago, and the last one.
    expect(minutes.slice(0, -1)).toEqual(Array.from({ length: 20 }, (_, n) => expect.closeTo(78 - n * 2, -1)));
  });
});
