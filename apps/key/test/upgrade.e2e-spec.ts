import { randomBytes } from 'node:crypto';
import { migrate, prepareDatabase } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { AdminDatabase, usePlatform } from '@switchyard/testing';
import { migrations } from '../src/db/migrations';

const platform = usePlatform();
const OLD = migrations.slice(0, 3);

describe('accounts from before they belonged to a Space', () => {
  const name = `upgrade_${randomBytes(6).toString('hex')}`;
  let database: AdminDatabase;
  let url: string;

  beforeAll(async () => {
    await platform.database.query(`create database ${name}`);
    const admin = new URL(platform.state.databaseUrl);
    admin.pathname = `/${name}`;
    url = admin.href;
    await prepareDatabase(url, [{ service: 'key', password: 'unused' }]);
    await migrate(url, { service: 'key', migrations: OLD });
    database = new AdminDatabase(() => url);
  });

  afterAll(async () => {
    await database.close();
    await platform.database.query(`drop database ${name} with (force)`);
  });

  const space = async (): Promise<string> => {
    const id = newId();
    await database.query(
      `insert into key.spaces (space_id, id, name, sealed_webhook_secret) values ($1, $1, 'A Space', '')`,
      [id],
    );
    return id;
  };
  const user = async (email: string, passwordHash: string | null = 'a hash'): Promise<string> => {
    const id = newId();
    await database.query(`insert into key.users (id, email, name, password_hash) values ($1, $2, 'x', $3)`, [
      id,
      email,
      passwordHash,
    ]);
    return id;
  };
  const member = (spaceId: string, userId: string, role = 'MEMBER'): Promise<unknown> =>
    database.query(`insert into key.members (space_id, id, user_id, role) values ($1, $2, $3, $4)`, [
      spaceId,
      newId(),
      userId,
      role,
    ]);
  const event = (
    spaceId: string,
    action: string,
    of: { actor: string; target?: string; isNew?: boolean },
  ): Promise<unknown> =>
    database.query(
      `insert into key.space_events (space_id, id, action, target, details, actor_user_id, request_id)
       values ($1, $2, $3, $4, $5, $6, 'x')`,
      [spaceId, newId(), action, of.target ?? null, JSON.stringify({ newAccount: of.isNew ?? false }), of.actor],
    );

  it('keep what they have used, and are asked for again where only another Space vouched for them', async () => {
    const [attackers, company, own] = [await space(), await space(), await space()];
    const attacker = await user('attacker@test.example');
    await member(attackers, attacker, 'OWNER');
    const boss = await user('boss@test.example');
    await member(company, boss, 'OWNER');

    const victim = await user('victim@test.example');
    await event(attackers, 'member.added', { actor: attacker, target: victim, isNew: true });
    await member(attackers, victim);
    await event(company, 'member.added', { actor: boss, target: victim });
    await member(company, victim, 'ADMIN');

    const regular = await user('regular@test.example');
    await event(attackers, 'member.added', { actor: attacker, target: regular, isNew: true });
    for (const spaceId of [attackers, company]) await member(spaceId, regular);
    await event(company, 'sign-in.opened', { actor: regular });

    const founder = await user('founder@test.example');
    await event(company, 'member.added', { actor: boss, target: founder, isNew: true });
    await member(company, founder);
    await event(own, 'space.created', { actor: founder });
    await member(own, founder, 'OWNER');
    await member(own, boss, 'ADMIN');
    const colleague = await user('colleague@test.example');
    await event(company, 'member.added', { actor: boss, target: colleague, isNew: true });
    for (const spaceId of [company, own]) await member(spaceId, colleague);
    const external = await user('external@test.example', null);
    for (const spaceId of [attackers, company]) await member(spaceId, external);

    await migrate(url, { service: 'key', migrations });

    const where = async (userId: string): Promise<unknown[]> =>
      (await database.query(`select space_id from key.members where user_id = $1 order by 1`, [userId])).map(
        (row) => row['space_id'],
      );
    expect(await where(victim)).toEqual([attackers]);
    expect(await where(regular)).toEqual([attackers, company].sort());
    expect(await where(founder)).toEqual([company, own].sort());
    expect(await where(colleague)).toEqual([company, own].sort());
    expect(await where(external)).toEqual([attackers, company].sort());
    expect(await database.query(`select space_id, email, role, digest from key.invitations`)).toEqual([
      { space_id: company, email: 'victim@test.example', role: 'ADMIN', digest: null },
    ]);
    expect(
      await database.query(`select space_id, target from key.space_events where action = 'member.unconfirmed'`),
    ).toEqual([{ space_id: company, target: victim }]);
    const homes = await database.query(
      `select home_space_id from key.users where id = any($1::uuid[]) order by email`,
      [[victim, founder]],
    );
    expect(homes).toEqual([{ home_space_id: company }, { home_space_id: attackers }]);
    const forced = await database.query(
      `select relname from pg_class where relname in ('members', 'space_events', 'invitations') and not relforcerowsecurity`,
    );
    expect(forced).toEqual([]);
  });
});

describe('the logs of security events', () => {
  it('let go what is past its time, and nothing younger than a month', async () => {
    const { id } = await platform.newSpace();
    const insert = (days: number): Promise<unknown> =>
      platform.database.query(
        `insert into key.space_events (space_id, id, action, request_id, at)
         values ($1, gen_random_uuid(), 'test.old', 'x', now() - make_interval(days => $2))`,
        [id, days],
      );
    await insert(29);
    await insert(31);
    const drop = (op: string): Promise<unknown> =>
      platform.database.query(
        `delete from key.space_events where space_id = $1 and action = 'test.old' and at ${op} now() - interval '30 days'`,
        [id],
      );
    await expect(drop('>')).rejects.toThrow('only grows');
    await drop('<');
    const remaining = await platform.database.query(
      `select 1 from key.space_events where space_id = $1 and action = 'test.old'`,
      [id],
    );
    expect(remaining).toHaveLength(1);
  });
});
