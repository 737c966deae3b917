import { randomBytes } from 'node:crypto';
import { migrate, prepareDatabase } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { AdminDatabase, type TestSpace, usePlatform } from '@switchyard/testing';
import { migrations } from '../src/db/migrations';

const platform = usePlatform();
const BEFORE = migrations.findIndex(({ name }) => name.startsWith('SuspendedAt'));

const decide = async (space: TestSpace, verb: 'suspend' | 'resume', body = {}): Promise<void> => {
  expect((await space.operator.post(`/operator/spaces/${space.id}/${verb}`, body)).status).toBe(200);
};
const suspendedAt = async (spaceId: string, database: AdminDatabase = platform.database): Promise<string | null> =>
  (
    await database.query<{ at: string | null }>(
      `select to_char(suspended_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at from key.spaces where space_id = $1`,
      [spaceId],
    )
  )[0]!.at;

describe('the time at which a Space was suspended', () => {
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

  it('is that of the first event since it was resumed, for a Space that was suspended before the upgrade', async () => {
    const name = `suspended_${randomBytes(6).toString('hex')}`;
    const admin = new URL(platform.state.databaseUrl);
    admin.pathname = `/${name}`;
    const database = new AdminDatabase(() => admin.href);
    await platform.database.query(`create database ${name}`);
    try {
      await prepareDatabase(admin.href, [{ service: 'key', password: 'unused' }]);
      await migrate(admin.href, { service: 'key', migrations: migrations.slice(0, BEFORE) });
      const spaceWith = async (status: string, events: Record<string, string>): Promise<string> => {
        const id = newId();
        await database.query(
          `insert into key.spaces (space_id, id, name, sealed_webhook_secret, status) values ($1, $1, 'A Space', '', $2)`,
          [id, status],
        );
        for (const [day, action] of Object.entries(events))
          await database.query(
            `insert into key.space_events (space_id, id, action, request_id, at) values ($1, $2, $3, 'x', $4)`,
            [id, newId(), action, `2026-01-${day} 12:00:00+00`],
          );
        return id;
      };
      const again = await spaceWith('SUSPENDED', {
        '01': 'space.suspended',
        '02': 'space.resumed',
        '03': 'space.suspended',
        '04': 'space.suspended',
      });
      const first = await spaceWith('SUSPENDED', { '05': 'space.suspended' });
      const active = await spaceWith('ACTIVE', { '01': 'space.suspended', '02': 'space.resumed' });
      await migrate(admin.href, { service: 'key', migrations });
      expect([
        await suspendedAt(again, database),
        await suspendedAt(first, database),
        await suspendedAt(active, database),
      ]).toEqual(['2026-01-03 12:00', '2026-01-05 12:00', null]);
    } finally {
      await database.close();
      await platform.database.query(`drop database ${name} with (force)`);
    }
  });
});
