import { Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { Route, nameOf, routesOf } from './routes';

const platform = usePlatform();
let space: TestSpace;
let keys: Client[];
let routes: Route[];
const operatorKeys: Client[] = [];

const deep = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

/** Bodies that broke something somewhere once. */
const CORPUS: Record<string, string> = {
  empty: '',
  'not json': '{',
  null: 'null',
  number: '1',
  text: '"x"',
  list: '[]',
  'list of null': '[null]',
  'empty object': '{}',
  'unknown field': '{"zzz":1}',
  'proto key': '{"__proto__":{"admin":true}}',
  'constructor key': '{"name":"x","constructor":{"prototype":{"admin":true}}}',
  'NUL in text': '{"name":"a\\u0000b","text":"\\u0000","email":"\\u0000"}',
  'lone surrogate': '{"name":"\\ud800","text":"\\ud800","query":"\\ud800"}',
  'huge number': '{"name":1e400,"limit":1e400,"tokens":1e400}',
  'long integer': '{"limit":123456789012345678901234567890,"tokens":99999999999999999999}',
  'nested deep': deep(200),
  'nested very deep': deep(20_000),
  'duplicate keys': '{"name":"a","name":{"b":1},"type":"X","type":[]}',
  'objects for scalars':
    '{"name":{"$ne":1},"email":{"a":1},"ids":{"x":1},"filter":[[]],"inputs":[],"contents":{},"records":{},"manifest":[]}',
  'lists in lists': '{"contents":[[{"type":"text"}]],"records":[[1]],"ids":[[]],"steps":[[]],"sort":[[]]}',
  nulls:
    '{"name":null,"contents":null,"records":null,"settings":null,"filter":null,"manifest":null,"email":null,"password":null,"key":null}',
  wide: `{"records":[${Array.from({ length: 3000 }, () => '{}').join(',')}]}`,
  quotes: `{"name":"'; drop table users; --","query":"' or 1=1 --","filter":{"a\\"; drop":1},"sort":[{"field":"a\\"; --","direction":"asc"}]}`,
};

/** Of the relay's open-ended path, the one that reads its bodies. */
const relayed = (route: Route): string =>
  route.template.startsWith('/models') ? '/models/v1/chat/completions' : route.path;

beforeAll(async () => {
  space = await platform.newSpace();
  // MCP answers in its own form.
  routes = routesOf().filter((route) => route.method !== 'GET' && route.template !== '/mcp');
  // The limits of a credential are real here as well: the flood is shared by many.
  keys = await Promise.all(Array.from({ length: 20 }, () => space.key()));
  const operator = await platform.operator();
  for (let n = 0; n < 4; n += 1) {
    const made = await operator.post('/operator/keys', { name: 'torture', scopes: ['operator:write'] });
    operatorKeys.push(operator.as(`Bearer ${made.body.data.key as string}`));
  }
});

test.each(Object.keys(CORPUS))('no route breaks on: %s', async (name) => {
  const broken: string[] = [];
  let turn = 0;
  for (const route of routes) {
    const callers = route.operator === undefined ? keys : operatorKeys;
    const client = callers[(turn += 1) % callers.length] as Client;
    const reply = await client.raw(route.method, relayed(route), CORPUS[name]);
    const flat =
      reply.status < 400 || (typeof reply.body === 'object' && (reply.body as { success?: unknown }).success === false);
    if (reply.status >= 500 || !flat)
      broken.push(`${nameOf(route)}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 200)}`);
  }
  expect(broken).toEqual([]);
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
])('a body typed %s is refused with 415 where JSON is needed', async (type) => {
  const reply = await space.owner.raw('POST', '/api/agents', '{"name":"x"}', { headers: { 'content-type': type } });
  expect(reply.status).toBe(415);
  expect(reply.body).toMatchObject({ success: false, code: 'UNSUPPORTED_MEDIA_TYPE' });
});

test.each(['application/json;', 'application/json; charset=utf8', 'application/json; foo=bar'])(
  'a body typed %s is JSON',
  async (type) => {
    const reply = await space.owner.raw('POST', '/api/spaces', '{"nome":"x"}', { headers: { 'content-type': type } });
    expect([reply.status, reply.body]).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
  },
);

test('free-form objects take any name but __proto__', async () => {
  const agent = { name: 'Free', model: 'sim-chat', systemPrompt: 'Be brief.' };
  const metadata = { constructor: { prototype: [{ constructor: 1 }] }, toString: 'x' };
  const made = await space.owner.post('/agents', { ...agent, metadata });
  expect([made.status, made.body.data?.metadata]).toEqual([201, metadata]);
  const proto = `${JSON.stringify(agent).slice(0, -1)},"metadata":{"a":{"__proto__":{"admin":true}}}}`;
  expect((await space.owner.raw('POST', '/api/agents', proto)).status).toBe(400);
});

test('a body over the limit is refused with 413', async () => {
  const reply = await space.owner.raw('POST', '/api/agents', `{"name":"${'x'.repeat(11 * 1024 * 1024)}"}`);
  expect(reply.status).toBe(413);
  expect(reply.body).toMatchObject({ success: false, code: 'PAYLOAD_TOO_LARGE' });
});

test('ids in paths must be UUIDs', async () => {
  const withIds = routes.filter((route) => route.template.includes('{') && !route.template.includes('{path}'));
  const wrong: string[] = [];
  for (const route of withIds) {
    const reply = await space.owner.raw(
      route.method,
      route.template.replace(/\{\w+\}/g, 'not-an-id'),
      route.takesBody ? {} : undefined,
    );
    if (![400, 403, 404].includes(reply.status)) wrong.push(`${nameOf(route)}: ${reply.status}`);
  }
  expect(wrong).toEqual([]);
});
