import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { Database } from '@switchyard/database';
import { usePlatform } from '@switchyard/testing';
import { askAfter } from '../src/client/connection-watchdog';
import { oneWritingClient } from '../src/client/servers/connect-to-primary';
import { secondPasswordOf } from '../src/client/servers/two-passwords';

const platform = usePlatform();
const role = `rotated_${randomBytes(6).toString('hex')}`;
const [old, next] = ['old', 'next'].map((name) => `${name} it's "${randomBytes(9).toString('base64url')}"`) as [
  string,
  string,
];
const warnings: string[] = [];
const log = { warn: (_: object, text: string) => void warnings.push(text), error: () => undefined };
const opened: Database[] = [];

const urlWith = (password: string, isDouble = false): string => {
  const url = new URL(platform.state.databaseUrl);
  url.username = role;
  url.password = encodeURIComponent(password);
  return isDouble ? url.href.replace(url.host, `${url.host},${url.host}`) : url.href;
};

const setPassword = async (password: string): Promise<void> => {
  await platform.database.query(`alter role ${role} password '${password.replaceAll("'", "''")}'`);
};

async function open(url: string, secondPassword?: string): Promise<Database> {
  const database = new Database({ service: 'task', url, secondPassword, poolSize: 4, log });
  opened.push(database);
  await database.connect();
  return database;
}

/** In so many connections at the same time: each waits in its transaction until all have one. */
function connections(database: Database, count: number): Promise<unknown> {
  let open = 0;
  let isFull: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (isFull = resolve));
  const one = (): Promise<void> =>
    database.system('use a connection', async (tx) => {
      await tx.run('select 1');
      open += 1;
      if (open === count) isFull();
      await all;
    });
  return Promise.all(Array.from({ length: count }, one));
}

beforeAll(async () => {
  await platform.database.query(`create role ${role}_system nologin`);
  await platform.database.query(`create role ${role} login noinherit`);
  await platform.database.query(`grant ${role}_system to ${role}`);
});

beforeEach(async () => {
  warnings.length = 0;
  await setPassword(old);
});

describe('a login whose password is rotated', () => {
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()));
    await platform.database.query(`drop role ${role}`);
    await platform.database.query(`drop role ${role}_system`);
  });

  it.each([
    ['one server', false],
    ['several servers', true],
  ])('opens new connections before, at and after the change, with %s', async (_, isDouble) => {
    const database = await open(urlWith(old, isDouble), next);
    await connections(database, 1);
    expect(warnings).toEqual([]);
    await setPassword(next);
    await connections(database, 4);
    expect(warnings).toEqual(['Postgres refused the password that it accepted before, and accepted the other one']);
    // Back, as an operator undoes the step.
    await setPassword(old);
    await connections(await open(urlWith(next, isDouble), old), 4);
  });

  it('is refused without the second password', async () => {
    const database = await open(urlWith(old));
    await setPassword(next);
    await expect(connections(database, 4)).rejects.toMatchObject({ code: '28P01' });
  });

  it('is refused if both are wrong, with an error that contains neither', async () => {
    const error: unknown = await open(urlWith('first-wrong'), 'second-wrong').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: '28P01' });
    expect(inspect(error, { depth: 8, showHidden: true })).not.toMatch(/first-wrong|second-wrong/);
  });

  it('has its second password in no text of the pool', async () => {
    const database = await open(urlWith(old), 'second-in-memory');
    await connections(database, 1);
    const pool = (database as unknown as { pool: object }).pool;
    expect(inspect(pool, { depth: 10 })).not.toContain('second-in-memory');
  });

  it.each([false, true])(
    'lets single connections in with the other password (several servers: %s)',
    async (isDouble) => {
      await setPassword(next);
      const client = oneWritingClient({ connectionString: urlWith(old, isDouble), secondPassword: next });
      await client.connect();
      expect((await client.query<{ name: string }>('select current_user as name')).rows).toEqual([{ name: role }]);
      await client.end();
      expect(await askAfter(urlWith(old), 'asking', [1], secondPasswordOf(next))).toEqual({ busy: new Set() });
    },
  );
});
