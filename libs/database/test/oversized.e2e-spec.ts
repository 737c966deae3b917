import { randomBytes } from 'node:crypto';
import {
  type WeighedTable,
  createOversizedMark,
  migrate,
  prepareDatabase,
  readableSql,
  tenantTable,
} from '@switchyard/database';
import { jsonBytes, newId } from '@switchyard/kernel';
import { AdminDatabase, usePlatform } from '@switchyard/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const platform = usePlatform();
const spaceId = newId();
const THINGS: WeighedTable = {
  table: 'things',
  columns: ['one', 'other'],
  fields: [
    { path: 'one', value: 'one', limit: 100 },
    { path: 'other.part', value: "other -> 'part'", limit: 50 },
  ],
  whenFar: { active: 'false' },
};

class MakeThings1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await tenantTable(
      runner,
      'things',
      'one jsonb, other jsonb, active boolean not null default true, oversized jsonb',
    );
    await createOversizedMark(runner, THINGS);
  }
  down = (): Promise<void> => Promise.resolve();
}

describe('rows with a field over its limit', () => {
  const name = `oversized_${randomBytes(6).toString('hex')}`;
  let url: string;
  let database: AdminDatabase;

  beforeAll(async () => {
    await platform.database.query(`create database ${name}`);
    const admin = new URL(platform.state.databaseUrl);
    admin.pathname = `/${name}`;
    url = admin.href;
    await prepareDatabase(url, [{ service: 'trial', password: 'unused' }]);
    await migrate(url, { service: 'trial', migrations: [MakeThings1700000000001] });
    database = new AdminDatabase(() => url);
  });

  afterAll(async () => {
    await database.close();
    await platform.database.query(`drop database ${name} with (force)`);
  });

  const add = async (one: unknown, other: unknown = {}): Promise<string> => {
    const id = newId();
    const values = [spaceId, id, JSON.stringify(one), JSON.stringify(other)];
    await database.query('insert into trial.things (space_id, id, one, other) values ($1, $2, $3, $4)', values);
    return id;
  };
  const read = async (id: string): Promise<unknown> => {
    const [row] = await database.query(
      `select oversized, active, ${readableSql('one', `'{}'`)} as one from trial.things where id = $1`,
      [id],
    );
    return row;
  };
  /** Exactly this size as compact JSON, with blanks in texts and between fields. */
  const ofBytes = (bytes: number): object => {
    const value = { a: 'é" : , ', list: [1, 2, { b: null }], text: '' };
    return { ...value, text: 'x'.repeat(bytes - jsonBytes(value)) };
  };

  it('are marked by the bytes of their compact JSON, and those that nothing reads any more are ended', async () => {
    const [fits, over, atMost, far, nested] = [
      await add(ofBytes(100)),
      await add(ofBytes(101)),
      await add(ofBytes(400)),
      await add(ofBytes(401), { part: 'y'.repeat(60) }),
      await add(null, { part: 'y'.repeat(60) }),
    ];
    const one = (bytes: number): object => ({ path: 'one', bytes, limit: 100 });
    const part = { path: 'other.part', bytes: 62, limit: 50 };
    expect(await read(fits)).toEqual({ oversized: null, active: true, one: ofBytes(100) });
    expect(await read(over)).toEqual({ oversized: [one(101)], active: true, one: ofBytes(101) });
    expect(await read(atMost)).toEqual({ oversized: [one(400)], active: true, one: ofBytes(400) });
    expect(await read(far)).toEqual({ oversized: [one(401), part], active: false, one: {} });
    expect(await read(nested)).toEqual({ oversized: [part], active: true, one: null });
  });

  it('are marked until the field is changed', async () => {
    const id = await add(ofBytes(5000));
    expect(await read(id)).toMatchObject({ oversized: [{ path: 'one', limit: 100 }], active: false, one: {} });
    await database.query(`update trial.things set one = '{}', active = true where id = $1`, [id]);
    expect(await read(id)).toEqual({ oversized: null, active: true, one: {} });
    await database.query(`update trial.things set active = false where id = $1`, [id]);
    expect(await read(id)).toEqual({ oversized: null, active: false, one: {} });
  });
});
