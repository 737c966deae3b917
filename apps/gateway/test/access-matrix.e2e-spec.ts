import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasScope, makeKeyValue, SCOPES, type Scope } from '@switchyard/contracts';
import { Client, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { randomBytes } from 'node:crypto';
import { Route, nameOf, routesOf } from './routes';

const platform = usePlatform();
const EXPECTED = join(__dirname, 'access-matrix.txt');
const RANKS = ['VIEWER', 'MEMBER', 'ADMIN', 'OWNER'];

let space: TestSpace;
let anonymous: Client;
let routes: Route[];

beforeAll(async () => {
  space = await platform.newSpace();
  anonymous = space.owner.as(null);
  routes = routesOf({ spaceId: space.id });
});

const closed = (): Route[] => routes.filter((route) => !route.public);
const ofSpaces = (): Route[] => closed().filter((route) => route.operator === undefined);
const ofOperators = (): Route[] => closed().filter((route) => route.operator !== undefined);

function neededBy(route: Route): string {
  if (route.public) return 'public';
  if (route.operator !== undefined) return `operator ${route.operator}${route.strong ? ' strong' : ''}`;
  return `${route.role} ${route.scope ?? '-'} system:${route.systemKey}`;
}
const send = (
  client: Client,
  route: Route,
): Promise<{ status: number; body: unknown; headers: Record<string, string> }> =>
  client.raw(route.method, route.path, route.takesBody && route.method !== 'GET' ? {} : undefined);

async function statusesOf(client: Client, list: Route[]): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const route of list) statuses[nameOf(route)] = (await send(client, route)).status;
  return statuses;
}

const all = (list: Route[], status: number): Record<string, number> =>
  Object.fromEntries(list.map((route) => [nameOf(route), status]));

test('each route that is served has its line in the expectations', () => {
  const lines = routes.map((route) => `${nameOf(route)} | ${neededBy(route)}`).sort();
  expect(`${lines.join('\n')}\n`).toBe(readFileSync(EXPECTED, 'utf8'));
});

describe('every route that is not public', () => {
  test('answers 401 without a credential, in the flat body', async () => {
    expect(await statusesOf(anonymous, closed())).toEqual(all(closed(), 401));
    for (const route of closed().slice(0, 5)) {
      const reply = await send(anonymous, route);
      expect(reply.body).toMatchObject({ success: false, code: 'UNAUTHORIZED' });
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer/);
    }
  });

  test.each([
    ['junk', () => 'Bearer junk'],
    ['a key that was never made', () => `Bearer ${makeKeyValue((size) => randomBytes(size))}`],
    [
      'a token that nobody signed',
      () =>
        `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"x"}').toString('base64url')}.AAAA`,
    ],
    ['the right key in another scheme', () => `Basic ${space.owner.credential}`],
  ])('answers 401 to %s', async (_name, authorization) => {
    expect(await statusesOf(space.owner.as(authorization()), closed())).toEqual(all(closed(), 401));
  });

  test('answers 401 to a revoked key', async () => {
    const key = await space.key();
    await key.get('/auth/me');
    await space.owner.post(`/api-keys/${key.identity.keyId}/revoke`, {});
    const statuses = async (): Promise<boolean> => (await key.get('/auth/me')).status === 401;
    while (!(await statuses())) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await statusesOf(key, closed())).toEqual(all(closed(), 401));
  });

  test('answers 401 to an expired key', async () => {
    const key = await space.key();
    expect((await key.get('/auth/me')).status).toBe(200);
    await until(async () => {
      const expiresAt = new Date(Date.now() + 1500).toISOString();
      return (await space.owner.put(`/api-keys/${key.identity.keyId}`, { expiresAt })).status === 200;
    });
    await until(async () => (await key.get('/auth/me')).status === 401);
    expect(await statusesOf(key, closed())).toEqual(all(closed(), 401));
  });

  test('answers 403 to a key without its scope, and lets the scope in', async () => {
    for (const scope of SCOPES.filter((name) => name !== '*')) {
      const key = await space.key({ scopes: [scope] });
      const barred = ofSpaces().filter((route) => route.scope !== null && !hasScope([scope], route.scope as Scope));
      const sample = barred.filter((_, index) => index % 3 === SCOPES.indexOf(scope) % 3);
      expect(await statusesOf(key, sample)).toEqual(all(sample, 403));
    }
  });

  test.each(['VIEWER', 'MEMBER', 'ADMIN'] as const)(
    'answers 403 to a %s where a higher role is needed',
    async (role) => {
      const member = await space.member(role);
      const barred = ofSpaces().filter(
        (route) => route.systemKey !== 'only' && RANKS.indexOf(route.role) > RANKS.indexOf(role),
      );
      expect(await statusesOf(member, barred)).toEqual(all(barred, 403));
    },
  );

  test('for operators alone is 404 to everybody in a Space, in the words of an unknown path', async () => {
    const unknown = (await space.owner.get('/nothing/of/the/kind')).body;
    const owner = await platform.newSpace();
    const callers = [space.owner, await space.key({ scopes: ['*'] }), owner.owner];
    for (const caller of callers) {
      expect(await statusesOf(caller, ofOperators())).toEqual(all(ofOperators(), 404));
      for (const route of ofOperators()) expect((await send(caller, route)).body).toEqual(unknown);
    }
  });

  test('never answers an outsider with something of the Space', async () => {
    const other = await platform.newSpace();
    const found: string[] = [];
    for (const route of closed().filter((item) => item.method === 'GET' && item.path !== item.template)) {
      const { status } = await send(other.owner, route);
      if (![400, 404].includes(status)) found.push(`${nameOf(route)}: ${status}`);
    }
    expect(found).toEqual([]);
  });
});
