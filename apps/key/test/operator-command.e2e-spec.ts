import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type Client, until, usePlatform } from '@switchyard/testing';
import { newOperator, operatorKey, personOfOwn, signInAgain } from './operator-people';

const platform = usePlatform();
const idOf = ({ identity }: Client): string => identity.userId ?? '';

interface CommandResult {
  code: number | null;
  out: string;
  err: string;
}

/** As in a container of the key service: by that service's own login. */
async function run(...args: string[]): Promise<CommandResult> {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: platform.state.databaseLogins['key'],
    KEY_PEPPERS: platform.state.secrets.keyPeppers,
  };
  const child = spawn(process.execPath, [path.resolve('dist/tools/operator/operator-command.js'), ...args], { env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, out, err };
}

describe('npm run operator, on the machine', () => {
  it('makes an account an operator by its address, and takes the rights back by its id', async () => {
    const person = await personOfOwn(platform);
    const granted = await run('grant', ` ${(person.identity.email ?? '').toUpperCase()} `);
    expect(granted).toMatchObject({ code: 0, err: '' });
    expect(granted.out).toContain(idOf(person));
    await until(async () => (await person.get('/operator/operators')).status === 200);
    const key = await operatorKey(await signInAgain(platform, person));
    expect((await run('revoke', idOf(person))).code).toBe(0);
    await until(async () => (await person.get('/operator/operators')).status === 404);
    await until(async () => (await key.get('/operator/operators')).status === 401);
  });

  it('does nothing where several accounts have the address, and lists them', async () => {
    const email = `twice-${randomBytes(6).toString('hex')}@test.example`;
    const ids = [];
    for (const space of [await platform.newSpace(), await platform.newSpace()]) {
      const added = await space.owner.post(`/spaces/${space.id}/members`, {
        email,
        role: 'MEMBER',
        password: 'the same for both of them',
      });
      ids.push(added.body.data.userId as string);
    }
    const { code, err } = await run('reset-password', email);
    expect(code).toBe(1);
    for (const id of ids) expect(err).toContain(id);
    const rows = await platform.database.query('select 1 from key.password_resets where user_id = any($1::uuid[])', [
      ids,
    ]);
    expect(rows).toEqual([]);
    expect((await run('reset-password', ids[0] ?? '')).code).toBe(0);
  });

  it('resets the password of an operator, by a token that is shown once', async () => {
    const operator = await newOperator(platform);
    const { code, out } = await run('reset-password', idOf(operator));
    expect(code).toBe(0);
    const token = /[\w-]{43}/.exec(out)?.[0];
    const password = 'chosen after the reset';
    expect((await platform.anonymous.post('/auth/password/reset', { token, password })).status).toBe(200);
    const login = (given?: string): Promise<{ status: number }> =>
      platform.anonymous.post('/auth/login', { email: operator.identity.email, password: given });
    expect([(await login(operator.identity.password)).status, (await login(password)).status]).toEqual([401, 200]);
    const events = await platform.database.query<{ actor: string }>(
      `select actor_type as actor from key.account_events where user_id = $1 and action = 'user.password.reset'
       union all select actor_type from key.space_events where target = $1::text and action = 'user.password.reset'`,
      [idOf(operator)],
    );
    expect(events).toEqual([{ actor: 'machine' }, { actor: 'machine' }]);
  });

  it('refuses accounts whose password somebody else chose, and unknown ones', async () => {
    const space = await platform.newSpace();
    const member = await space.member('MEMBER');
    expect(await run('grant', idOf(member))).toMatchObject({
      code: 1,
      err: expect.stringContaining('was chosen by another person'),
    });
    expect(await run('grant', 'nobody@test.example')).toMatchObject({
      code: 1,
      err: expect.stringContaining('nobody@'),
    });
    expect((await run('grant')).code).toBe(1);
  });

  it('lists the commands where there is none of the name, and needs a key for the others', async () => {
    const { code, err } = await run('elect', 'ada@example.com');
    expect(code).toBe(1);
    for (const name of ['grant', 'revoke', 'reset-password', 'spaces']) expect(err).toContain(name);
    for (const command of ['users', 'credits', 'keys'])
      expect(await run(command)).toMatchObject({ code: 1, err: expect.stringContaining('SWITCHYARD_KEY') });
  });
});
