import { Socket } from 'node:net';
import { Client, type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
let space: TestSpace;
let anonymous: Client;

beforeAll(async () => {
  space = await platform.newSpace();
  anonymous = space.owner.as(null);
});

/** Sends bytes as they are, and answers with all that comes back on the connection. */
function rawText(lines: string): Promise<string> {
  const url = new URL(platform.state.url);
  return new Promise((resolve) => {
    const socket = new Socket();
    let text = '';
    const done = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.on('data', (bytes) => (text += bytes.toString()));
    socket.on('close', done);
    socket.on('error', done);
    socket.setTimeout(30_000, done);
    socket.connect(Number(url.port), url.hostname, () => socket.write(lines));
  });
}

/** The status of each response on the connection. */
const rawStatuses = async (lines: string): Promise<number[]> =>
  [...(await rawText(lines)).matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

describe('paths', () => {
  test.each(['/api/auth/me', '/v1/api/auth/me', '/api/v1/auth/me', '/v999/api/auth/me'])(
    '%s is the same route',
    async (path) => {
      const { status, headers } = await space.owner.raw('GET', path);
      expect(status).toBe(200);
      expect(headers['x-api-version-warning']).toBe(
        path.startsWith('/v999') ? 'The API has no version 999: version 1.0.0 answered.' : undefined,
      );
    },
  );

  test.each(['/v1/v2/api/auth/me', '/v1234/api/auth/me', '/v1api/auth/me', '/auth/me', '/api/nothing', '/'])(
    '%s does not exist',
    async (path) => {
      const reply = await space.owner.raw('GET', path);
      expect([reply.status, (reply.body as { code?: string }).code]).toEqual([404, 'NOT_FOUND']);
    },
  );

  test.each(['chat/%63ompletions', 'chat/completion%73', '%2e%2e/api/auth/me', '%6dodels', 'chat/Completions'])(
    'nothing is at %s of the relay, however a body asks for it',
    async (path) => {
      const body = { model: 'sim-chat', messages: [{ role: 'user', content: 'hi' }] };
      const posted = await space.owner.raw('POST', `/models/v1/${path}`, body);
      const read = await space.owner.raw('GET', `/models/v1/${path}`);
      expect([posted, read].map((reply) => [reply.status, reply.body.code])).toEqual([
        [404, 'NOT_FOUND'],
        [404, 'NOT_FOUND'],
      ]);
    },
  );

  test('a known path with another method answers 405 and says what it takes', async () => {
    const reply = await space.owner.raw('DELETE', '/api/auth/login');
    expect(reply.status).toBe(405);
    expect(reply.body).toMatchObject({ success: false, code: 'METHOD_NOT_ALLOWED' });
    expect(reply.headers['allow']).toContain('POST');
  });

  test.each(['/api/agents/', '/api/tasks/', '/models/v1/'])(
    '%s, with an empty last part, does not exist',
    async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
        expect([method, (await space.owner.raw(method, path)).status]).toEqual([method, 404]);
    },
  );

  test.each([
    '//api/auth/me',
    '/api//auth/me',
    '/%61pi/auth/me',
    '/api/auth%2fme',
    '/api;x/auth/me',
    '/api\\auth/me',
    '/api/../api/auth/me',
    'http://evil/api/auth/me',
  ])('%s never opens anything', async (target) => {
    const [status] = await rawStatuses(
      `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: ${space.owner.authorization}\r\nConnection: close\r\n\r\n`,
    );
    expect([400, 401, 404]).toContain(status);
  });
});

describe('framing', () => {
  const authorization = (): string => `Authorization: ${space.owner.authorization}\r\n`;

  test('two credentials, or two hosts, are refused', async () => {
    expect(
      await rawStatuses(
        `GET /api/auth/me HTTP/1.1\r\nHost: x\r\n${authorization()}Authorization: Bearer junk\r\nConnection: close\r\n\r\n`,
      ),
    ).toEqual([400]);
    expect(
      await rawStatuses(
        `GET /api/auth/me HTTP/1.1\r\nHost: x\r\nHost: y\r\n${authorization()}Connection: close\r\n\r\n`,
      ),
    ).toEqual([400]);
  });

  test.each([
    ['two hosts', 'Host: x\r\nHost: y\r\n'],
    ['no host', ''],
    ['two credentials', 'Host: x\r\nAuthorization: Bearer junk\r\n'],
    ['two transfer codings', 'Host: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n'],
    ['a length and a transfer coding', 'Host: x\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n'],
  ])(
    '%s: the request is refused, the connection closed, and what is pipelined behind it not executed',
    async (_, lines) => {
      const name = `Pipelined ${Math.random()}`;
      const body = JSON.stringify({ name });
      const create = `POST /api/api-keys HTTP/1.1\r\nHost: x\r\n${authorization()}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      const end = lines.includes('chunked') ? '0\r\n\r\n' : '';
      const text = await rawText(
        `POST /api/auth/me HTTP/1.1\r\n${authorization()}${lines}\r\n${end}${create}${create}`,
      );
      expect([...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual(['400']);
      expect(text.toLowerCase()).toContain('connection: close');
      const { message, ...refusal } = JSON.parse(text.split('\r\n\r\n')[1] ?? '') as { message: string };
      expect([refusal, typeof message]).toEqual([{ success: false, code: 'VALIDATION_ERROR' }, 'string']);
      const keys = (await space.owner.get('/api-keys', undefined)).body.data as { name: string }[];
      expect(keys.filter((key) => key.name === name)).toEqual([]);
    },
  );

  test('of more than 32 requests that a connection pipelines, the next is refused, and the rest not executed', async () => {
    const agent = { name: 'Slow', model: 'sim-chat', systemPrompt: 'You help.' };
    const agentId = (await space.owner.post('/agents', agent)).body.data.id as string;
    const body = JSON.stringify({ inputs: { query: '@@delay 100\n@@tokens 20' } });
    // The others have begun long before it answers.
    const slow = `POST /api/agents/${agentId}/execute HTTP/1.1\r\nHost: x\r\n${authorization()}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const statuses = await rawStatuses(
      slow + `GET /api/auth/me HTTP/1.1\r\nHost: x\r\n${authorization()}\r\n`.repeat(39),
    );
    expect(statuses).toEqual([...Array.from({ length: 32 }, () => 200), 429]);
  });

  test('a request that could be read in two ways is refused, and what follows it is not executed', async () => {
    const smuggled = 'GET /api/auth/me HTTP/1.1\r\nHost: x\r\n\r\n';
    const statuses = await rawStatuses(
      `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    );
    expect(statuses).toEqual([400]);
  });

  test.each([
    ['an unknown method', 'FOO /api/auth/me HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['two lengths', 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ['a path without an end', `GET /api/agents?q=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ])('%s is refused in the form of every refusal', async (_, lines) => {
    const [head = '', body = ''] = (await rawText(lines)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(head).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/);
    expect(head).toMatch(/\r\nratelimit-limit: \d+\r\n/);
    expect(JSON.parse(body)).toEqual({ success: false, message: expect.any(String), code: 'VALIDATION_ERROR' });
  });

  describe.each(['', 'json', '/', 'a/b/c', 'application/', 'text', 'application/json, text/plain', 'j\u00e9/son'])(
    'the Content-Type %p',
    (type) => {
      const ask = async (
        method: string,
        path: string,
        body: string,
        credential = authorization(),
      ): Promise<unknown[]> => {
        const length = Buffer.byteLength(body);
        const [head = '', message = ''] = (
          await rawText(
            `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${credential}Content-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`,
          )
        ).split('\r\n\r\n');
        const { code } = JSON.parse(message.startsWith('{') ? message : '{}') as { code?: string };
        return [Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), code];
      };

      test('is 415 where JSON is needed, after the credential and the path', async () => {
        const wrong = [415, 'UNSUPPORTED_MEDIA_TYPE'];
        expect(await ask('POST', '/api/spaces', '{}')).toEqual(wrong);
        expect(await ask('PATCH', `/api/spaces/${space.id}`, '{}')).toEqual(wrong);
        expect(await ask('POST', '/mcp', '{}')).toEqual(wrong);
        expect(await ask('POST', '/models/v1/chat/completions', '{}')).toEqual(wrong);
        expect(await ask('POST', '/api/auth/login', '{}', '')).toEqual(wrong);
        expect(await ask('POST', '/api/spaces', '{}', '')).toEqual([401, 'UNAUTHORIZED']);
        expect(await ask('POST', '/api/nothing', '{}')).toEqual([404, 'NOT_FOUND']);
      });

      test('says nothing where there is no body', async () => {
        const created = await space.owner.post('/api-keys', { name: 'Typed' });
        const { id } = created.body.data as { id: string };
        expect(await ask('POST', `/api/api-keys/${id}/revoke`, '')).toEqual([200, undefined]);
        expect(await ask('DELETE', '/api/agents/01900000-0000-7000-8000-000000000000', '')).toEqual([404, 'NOT_FOUND']);
      });
    },
  );

  test('what a request expects besides 100-continue is not heeded', async () => {
    const text = await rawText('GET /health/live HTTP/1.1\r\nHost: a\r\nExpect: magic\r\nConnection: close\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 200/);
    expect(text.toLowerCase()).toContain('x-request-id: ');
  });

  test('a parameter called __proto__ is one that there is not', async () => {
    for (const path of ['/spaces', '/agents', '/activity']) {
      const { status, body } = await space.owner.get(`${path}?__proto__=x`);
      expect([path, status, body.code]).toEqual([path, 400, 'VALIDATION_ERROR']);
    }
  });

  test('TRACE and CONNECT are not taken', async () => {
    for (const method of ['TRACE', 'CONNECT'])
      for (const path of ['/api/auth/me', '/mcp']) {
        const statuses = await rawStatuses(
          `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization()}Connection: close\r\n\r\n`,
        );
        expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true);
      }
  });
});

describe('every answer', () => {
  test('carries the request id that was sent, or a new one', async () => {
    const stored = await space.owner.get('/auth/me', undefined, { headers: { 'x-request-id': 'my-id_1.2' } });
    expect(stored.headers['x-request-id']).toBe('my-id_1.2');
    const made = await space.owner.get('/auth/me', undefined, { headers: { 'x-request-id': 'no spaces' } });
    expect(made.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await anonymous.get('/nothing')).headers['x-request-id']).toBeDefined();
  });

  test('counts down the rate limit, refused ones as well, but not for health', async () => {
    const key = await space.key();
    const first = await key.get('/auth/me');
    const second = await key.get('/auth/me');
    expect(first.headers['ratelimit-limit']).toBe('600');
    expect(Number(second.headers['ratelimit-remaining'])).toBeLessThan(
      Number(first.headers['ratelimit-remaining']) + 1,
    );
    expect(first.headers['ratelimit-reset']).toMatch(/^\d+$/);
    expect((await anonymous.get('/auth/me')).headers['ratelimit-limit']).toBeDefined();
    expect((await anonymous.raw('GET', '/health/live')).headers['ratelimit-limit']).toBeUndefined();
  });

  test.each(['DELETE /api/operator/operators', 'PUT /api/operator/spaces', 'GET /api/v1/operator/keys/x/rotate'])(
    '%s is answered as an unknown path, which tells nothing of the routes of operators',
    async (route) => {
      const [method = '', path = ''] = route.split(' ');
      const unknown = (await space.owner.raw('GET', '/api/operator/nothing')).body;
      for (const client of [space.owner, anonymous]) {
        const reply = await client.raw(method, path);
        expect([reply.status, reply.body, reply.headers['allow']]).toEqual([404, unknown, undefined]);
      }
    },
  );

  test.each([
    ['GET', '/api/nope', 404],
    ['PATCH', '/api/agents', 405],
    ['GET', '/api/api-keys/validate', 405],
    ['GET', '/api/agents/%00', 400],
    ['GET', '/api/agents/%zz', 400],
    ['GET', `/api/agents/${'x'.repeat(300)}`, 400],
    ['POST', '/api/agents', 413],
    ['POST', '/api/agents', 415],
  ])('%s %s counts although it is refused early, with %s', async (method, path, status) => {
    const key = await space.key();
    const remaining = Number((await key.get('/auth/me')).headers['ratelimit-remaining']);
    const body = status === 413 ? `"${'x'.repeat(11 * 1024 * 1024)}"` : status === 415 ? 'x' : undefined;
    const headers: Record<string, string> = status === 415 ? { 'content-type': 'text/plain' } : {};
    const refused = await key.raw(method, path, body, { headers });
    expect([refused.status, refused.headers['ratelimit-limit']]).toEqual([status, '600']);
    expect(Number(refused.headers['ratelimit-remaining'])).toBeLessThan(remaining);
    expect(refused.headers['ratelimit-reset']).toMatch(/^\d+$/);
    const nameless = await anonymous.raw(method, path, body, { headers });
    expect(nameless.headers['ratelimit-remaining']).toMatch(/^\d+$/);
  });

  test.each([
    ['GET /api/api-keys/validate', 'POST'],
    ['PUT /api/api-keys/validate', 'POST'],
    ['PUT /api/agents/sessions', 'GET, HEAD, POST'],
    ['POST /api/agents/system-agents', 'GET, HEAD'],
    ['DELETE /api/agents/system-agents', 'GET, HEAD'],
    ['PUT /models/v1/models', 'GET, HEAD'],
    ['DELETE /models/v1/models/sim-chat', 'GET, HEAD'],
    ['POST /models/v1/models', 'GET, HEAD'],
  ])('%s is 405, whatever its neighbour with a parameter takes', async (route, allow) => {
    const [method = '', path = ''] = route.split(' ');
    const reply = await space.owner.raw(method, path);
    expect([reply.status, reply.headers['allow']]).toEqual([405, allow]);
  });

  test('is repeated byte for byte for the same idempotency key', async () => {
    const body = JSON.stringify({
      name: 'Repeated',
      model: 'sim-chat',
      systemPrompt: 'x',
      metadata: { zebra: 1, b: { longer: 1, a: [{ y: 1, x: 2 }] }, constructor: 'c', prototype: { deep: 1e2 }, a: 'é' },
    });
    const create = async (): Promise<[string | null, string]> => {
      const answer = await fetch(`${platform.state.url}/api/agents`, {
        method: 'POST',
        body,
        headers: {
          authorization: space.owner.authorization ?? '',
          'content-type': 'application/json',
          'idempotency-key': 'byte for byte',
        },
      });
      return [answer.headers.get('idempotency-replayed'), await answer.text()];
    };
    const [first, text] = await create();
    expect([first, JSON.parse(text)]).toMatchObject([null, { success: true, data: { metadata: { a: 'é' } } }]);
    expect(await create()).toEqual(['true', text]);
  });

  test.each(['null', '[]', '1', '"x"'])('refuses the body %s, also where none is needed', async (body) => {
    const key = (await space.owner.post('/api-keys', { name: 'Kept' })).body.data as { id: string };
    for (const path of [
      `/api/api-keys/${key.id}/rotate`,
      '/api/agents/sessions',
      '/openai/v1/chat/completions',
      '/openai/v1/responses',
      '/langgraph/threads',
      '/langgraph/assistants/search',
      '/mcp',
    ])
      expect([path, (await space.owner.raw('POST', path, body)).status]).toEqual([path, 400]);
    expect((await space.owner.raw('POST', `/api/api-keys/${key.id}/rotate`)).status).toBe(200);
  });

  test.each(['{"__proto__":1}', '{"name":"x","metadata":{"a":[{"b":{"__proto__":{}}}]}}'])(
    'refuses __proto__ at every depth: %s',
    async (body) => {
      const refused = await space.owner.post('/agents', body);
      expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('__proto__')]);
    },
  );

  test('is hardened', async () => {
    const { headers } = await space.owner.get('/auth/me');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });

  test('gives no permission to unknown origins', async () => {
    const reply = await space.owner.get('/auth/me', undefined, { headers: { origin: 'https://evil.example' } });
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  });
});

test('over its limit a credential gets 429 with Retry-After', async () => {
  const key = await space.key();
  let refused: { status: number; headers: Record<string, string>; body: unknown } | undefined;
  for (let sent = 0; sent < 1200 && !refused; sent += 20) {
    const replies = await Promise.all(Array.from({ length: 20 }, () => key.get('/auth/me')));
    refused = replies.find((reply) => reply.status !== 200);
  }
  expect(refused?.status).toBe(429);
  expect(refused?.body).toMatchObject({ success: false, code: 'RATE_LIMITED' });
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
});

test('health says how each dependency is', async () => {
  expect((await anonymous.raw('GET', '/health/live')).body).toEqual({ status: 'live' });
  await until(async () => {
    const ready = await anonymous.raw('GET', '/health/ready');
    expect(ready.status).toBe(200);
    expect(ready.body).toMatchObject({ ready: true, dependencies: { nats: { up: true }, redis: { up: true } } });
    return true;
  });
});

test('the documentation page and the document need no credential', async () => {
  const { headers } = await anonymous.raw('GET', '/docs');
  expect(headers['content-type']).toMatch(/^text\/html/);
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  expect(headers['permissions-policy']).toMatch(/camera=\(\).*geolocation=\(\).*microphone=\(\)/);
  expect((await anonymous.raw('GET', '/openapi.json')).body).toMatchObject({ openapi: '3.1.0' });
});
