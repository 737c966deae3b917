import { createHash } from 'node:crypto';
import { TestSpace, usePlatform } from '@switchyard/testing';
import { ask } from './support/money';

const platform = usePlatform();
let space: TestSpace;
beforeAll(async () => {
  space = await platform.newSpace();
});

const dataOf = (text: string): string[] =>
  text
    .trim()
    .split('\n\n')
    .map((event) => event.replace(/^data: /, ''));
const chunksOf = (text: string): { choices: { delta: { content?: string } }[]; usage?: object; model: string }[] =>
  dataOf(text)
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data));

describe('completions', () => {
  it('answer as the upstream did, with the id of the catalogue', async () => {
    const reply = await ask(space.owner, '@@reply Hello there');
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      model: 'sim-chat',
      choices: [{ message: { content: 'Hello there' }, finish_reason: 'stop' }],
      usage: { completion_tokens: 2 },
    });
    expect(reply.headers['x-request-id']).toBeDefined();
    expect(reply.headers['x-ratelimit-limit-requests']).toBe(reply.headers['ratelimit-limit']);
    expect(reply.headers['x-ratelimit-remaining-requests']).toMatch(/^\d+$/);
    expect(reply.headers['x-ratelimit-reset-requests']).toMatch(/^\d+s$/);
  });

  it('stream word by word, ending with [DONE], without a usage chunk unless it is requested', async () => {
    const reply = await ask(space.owner, '@@reply one two three', { stream: true });
    expect(reply.headers['content-type']).toContain('text/event-stream');
    expect(dataOf(reply.body).at(-1)).toBe('[DONE]');
    const chunks = chunksOf(reply.body);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content).filter(Boolean)).toEqual(['one', ' two', ' three']);
    expect(chunks.some((chunk) => chunk.choices.length === 0)).toBe(false);
  });

  it('give the usage chunk to who asks for it', async () => {
    const reply = await ask(space.owner, '@@reply one', { stream: true, stream_options: { include_usage: true } });
    expect(chunksOf(reply.body).at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 1 } });
  });

  it('arrive as they are made', async () => {
    const reply = await space.owner.rawStream('POST', '/models/v1/chat/completions', {
      model: 'sim-chat',
      stream: true,
      messages: [{ role: 'user', content: '@@reply one\n@@delay 100\n@@reply two\n@@delay 300000\n@@reply three' }],
    });
    const words: string[] = [];
    for await (const frame of reply.frames) {
      words.push(frame.data.choices[0].delta.content);
      // The third word is minutes away.
      if (words.at(-1) === '\ntwo') break;
    }
    expect(words.filter(Boolean)).toEqual(['one', '\ntwo']);
  });

  it('carry tools, JSON and the older format', async () => {
    expect((await ask(space.owner, '@@tool look {"a":1}\n@@tool see {}')).body.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { name: 'look', arguments: '{"a":1}' } }, { function: { name: 'see' } }] },
    });
    expect(
      JSON.parse(
        (await ask(space.owner, 'hi', { response_format: { type: 'json_object' } })).body.choices[0].message.content,
      ),
    ).toEqual({ answer: 'You said: hi' });
    const old = await space.owner.raw('POST', '/models/v1/completions', {
      model: 'sim-chat',
      prompt: '@@reply hi',
      max_tokens: 5,
    });
    expect(old.body.choices[0].text).toBe('hi');
  });

  it('take pictures as data URIs, up to the limit of a body', async () => {
    const url = `data:image/png;base64,${'A'.repeat(8 * 1024 * 1024)}`;
    const reply = await space.owner.raw('POST', '/models/v1/chat/completions', {
      model: 'sim-chat',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: '@@reply seen' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
    });
    expect([reply.status, reply.body.message, reply.body.choices?.[0].message.content]).toEqual([
      200,
      undefined,
      'seen',
    ]);
    const big = await space.owner.raw(
      'POST',
      '/models/v1/chat/completions',
      `{"model":"sim-chat","x":"${'A'.repeat(11 * 1024 * 1024)}"}`,
    );
    expect([big.status, big.body.code, big.body.error?.code]).toEqual([413, 'PAYLOAD_TOO_LARGE', 'PAYLOAD_TOO_LARGE']);
  });
});

describe('the other endpoints', () => {
  it('embeddings: numbers and base64', async () => {
    const numbers = await space.owner.raw('POST', '/models/v1/embeddings', { model: 'sim-embed', input: ['a', 'b'] });
    expect(numbers.body.data.map((item: { embedding: number[] }) => item.embedding.length)).toEqual([384, 384]);
    const base64 = await space.owner.raw('POST', '/models/v1/embeddings', {
      model: 'sim-embed',
      input: 'a',
      encoding_format: 'base64',
    });
    expect(Buffer.from(base64.body.data[0].embedding, 'base64')).toHaveLength(384 * 4);
    expect(base64.body.model).toBe('sim-embed');
  });

  it('responses, whole and streamed', async () => {
    const whole = await space.owner.raw('POST', '/models/v1/responses', { model: 'sim-chat', input: '@@reply hi' });
    expect(whole.body).toMatchObject({
      object: 'response',
      model: 'sim-chat',
      output: [{ content: [{ text: 'hi' }] }],
    });
    const stream = await space.owner.raw('POST', '/models/v1/responses', {
      model: 'sim-chat',
      input: '@@reply hi',
      stream: true,
    });
    expect(stream.body).toContain('event: response.completed');
  });

  it('models: all of them, one of them, and no other', async () => {
    const list = await space.owner.raw('GET', '/models/v1/models');
    expect(list.body).toMatchObject({ object: 'list' });
    expect(list.body.data).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: 'sim-chat', object: 'model', owned_by: 'simulator' })]),
    );
    expect((await space.owner.raw('GET', '/models/v1/models/sim-embed')).body.id).toBe('sim-embed');
    const unknown = await space.owner.raw('GET', '/models/v1/models/gpt-99');
    expect([unknown.status, unknown.body.code, unknown.body.error.type]).toEqual([404, 'NOT_FOUND', 'not_found_error']);
    expect((await space.owner.raw('GET', '/models/v1/models/sim%2Dchat')).body.id).toBe('sim-chat');
  });

  it('the catalogue is read, and never sent to an upstream', async () => {
    for (const path of ['models', 'models/', 'models?x=1', 'models/sim-chat', 'models/no-such%2Fmodel']) {
      const reply = await space.owner.raw('POST', `/models/v1/${path}`, { model: 'sim-chat' });
      expect([reply.status, reply.body.code, reply.body.error.code, reply.headers['allow']]).toEqual([
        405,
        'METHOD_NOT_ALLOWED',
        'METHOD_NOT_ALLOWED',
        'GET, HEAD',
      ]);
    }
  });

  it.each(['/models', 'models/%00', 'chat%2Fcompletions', 'models/%zz', 'models/%ff', 'a;b'])(
    'the malformed path %s is refused in both forms',
    async (path) => {
      const { status, body } = await space.owner.raw('GET', `/models/v1/${path}`);
      expect([status, body]).toMatchObject([
        400,
        {
          success: false,
          code: 'VALIDATION_ERROR',
          error: { type: 'invalid_request_error', code: 'VALIDATION_ERROR' },
        },
      ]);
    },
  );

  it('sounds as multipart and pictures, byte for byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, i) => i % 256));
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const form = Buffer.concat([
      Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'),
      bytes,
      Buffer.from('\r\n--x--\r\n'),
    ]);
    const shown = await space.owner.raw('POST', '/models/v1/inspect', form, { headers });
    expect(shown.body).toMatchObject({
      bytes: form.length,
      sha256: createHash('sha256').update(form).digest('hex'),
      headers: { 'content-type': headers['content-type'] },
    });
    expect((await space.owner.raw('POST', '/models/v1/audio/transcriptions', form, { headers })).body.text).toBe(
      `You sent ${form.length} bytes of audio.`,
    );
    expect(
      (await space.owner.raw('POST', '/models/v1/images/generations', { model: 'dall-e', prompt: 'x' })).body.data,
    ).toHaveLength(1);
    const answer = await fetch(`${platform.url}/models/v1/audio/speech`, {
      method: 'POST',
      headers: { authorization: space.owner.authorization ?? '', 'content-type': 'application/json' },
      body: '{"model":"tts","input":"hi"}',
    });
    expect(answer.headers.get('content-type')).toBe('audio/wav');
    expect((await answer.arrayBuffer()).byteLength).toBe(844);
  });
});

describe('a path that is not metered by tokens', () => {
  const paid = async (): Promise<{ model: string; tokens: number }> =>
    (await space.owner.get('/usage/ledger?limit=1')).body.data[0];

  it('costs what its answer says that it used, or a flat number of tokens', async () => {
    const usage = { input_tokens: 7, output_tokens: 1500, total_tokens: 1507 };
    const body = { model: 'gpt-image-1', usage, data: ['x'.repeat(100_000)] };
    expect((await space.owner.raw('POST', '/models/v1/echo', body)).body).toEqual(body);
    expect(await paid()).toMatchObject({ model: 'gpt-image-1', tokens: -1507 });
    for (const without of [{ seconds: 3 }, null, { total_tokens: 1e12 }]) {
      await space.owner.raw('POST', '/models/v1/echo', { model: 'tts', usage: without });
      expect(await paid()).toMatchObject({ model: 'tts', tokens: -100 });
    }
  });

  it('is in the books under the model of its form', async () => {
    const form = new FormData();
    form.append('file', new Blob([Buffer.alloc(50_000)]), 'a.wav');
    form.append('model', 'whisper-1');
    const sent = new Response(form);
    const headers = { 'content-type': sent.headers.get('content-type') ?? '' };
    const bytes = Buffer.from(await sent.arrayBuffer());
    expect((await space.owner.raw('POST', '/models/v1/audio/transcriptions', bytes, { headers })).status).toBe(200);
    expect(await paid()).toMatchObject({ model: 'whisper-1', tokens: -100 });
  });
});

describe('what the relay lets through', () => {
  it('shows an upstream neither credentials nor other headers of the caller', async () => {
    const shown = await space.owner.raw(
      'POST',
      '/models/v1/inspect',
      { a: 1 },
      {
        headers: {
          cookie: 'a=b',
          'x-forwarded-for': '1.2.3.4',
          'openai-organization': 'o',
          'x-api-key': 'k',
          'openai-beta': 'b',
        },
      },
    );
    expect(Object.keys(shown.body.headers).sort()).toEqual(
      ['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'openai-beta'].sort(),
    );
    expect(JSON.stringify(shown.body)).not.toContain(space.owner.credential);
  });

  it.each([
    '/models/v1/../admin',
    '/models/v1/%2e%2e/admin',
    '/models/v1//evil.example/x',
    '/models/v1/a%2fb',
    '/models/v1/a;b',
  ])('refuses the path %s', async (path) => {
    const response = await new Promise<number>((resolve, reject) => {
      const url = new URL(platform.url);
      import('node:http').then(({ request }) => {
        const sent = request(
          { host: url.hostname, port: url.port, path, headers: { authorization: space.owner.authorization ?? '' } },
          // An unread answer holds its connection, and the worker of the test.
          (answer) => resolve(answer.resume().statusCode ?? 0),
        );
        sent.on('error', reject).end();
      }, reject);
    });
    expect([400, 404]).toContain(response);
  });

  it('keeps what an upstream stores for its account closed', async () => {
    for (const path of ['files', 'files/f1/content', 'batches', 'responses/r1', 'fine_tuning/jobs']) {
      expect((await space.owner.raw('GET', `/models/v1/${path}`)).status).toBe(404);
    }
  });

  it.each([
    'realtime/client_secrets',
    'chatkit/sessions',
    'messages',
    'Chat/completions',
    'EMBEDDINGS',
    'images/Generations',
    'images/generations/more',
    'responses/input_tokens',
    'videos',
  ])('passes only what the catalogue opens: POST %s is 404 and costs nothing', async (path) => {
    const before = (await space.owner.get('/usage/balance')).body.data.balance;
    const reply = await space.owner.raw('POST', `/models/v1/${path}`, { model: 'sim-chat', messages: [] });
    expect([reply.status, reply.body.code, reply.body.error.code]).toEqual([404, 'NOT_FOUND', 'NOT_FOUND']);
    expect((await space.owner.get('/usage/balance')).body.data.balance).toBe(before);
  });

  it('refuses bodies that would redirect the call, repeat a key, or are none', async () => {
    const bodies = [
      '{"model":"sim-chat","api_base":"http://evil","messages":[]}',
      '{"model":"sim-chat","model":"other","messages":[]}',
      '{',
      '[]',
      '{"messages":[]}',
    ];
    for (const body of bodies)
      expect((await space.owner.raw('POST', '/models/v1/chat/completions', body)).status).toBe(400);
    expect(
      (
        await space.owner.raw('POST', '/models/v1/chat/completions', 'model=sim-chat', {
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
    ).toBe(415);
  });

  it.each(['chat/completions', 'embeddings', 'moderations'])(
    'refuses JSON that is not UTF-8 at %s with 415',
    async (path) => {
      const headers = { 'content-type': 'application/json; charset=utf-16' };
      const refused = await space.owner.raw('POST', `/models/v1/${path}`, '{"model":"sim-chat"}', { headers });
      expect([refused.status, refused.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      expect(refused.body.message).toContain('UTF-8');
    },
  );

  it('answers errors in both forms', async () => {
    const unknown = await ask(space.owner, 'x', { model: 'gpt-99' });
    expect(unknown.status).toBe(404);
    expect(unknown.body).toMatchObject({
      success: false,
      code: 'NOT_FOUND',
      error: { type: 'not_found_error', code: 'NOT_FOUND', param: null },
    });
    expect(unknown.body.error.message).toBe(unknown.body.message);
    const nobody = await ask(platform.anonymous, 'x');
    expect([nobody.status, nobody.body.code, nobody.body.error.type]).toEqual([
      401,
      'UNAUTHORIZED',
      'authentication_error',
    ]);
  });

  it('needs the scope models:call, and to spend tokens the role MEMBER', async () => {
    const without = await space.key({ scopes: ['agents:read'] });
    expect([(await ask(without, 'x')).status, (await without.raw('GET', '/models/v1/models')).status]).toEqual([
      403, 403,
    ]);
    expect((await ask(await space.key({ scopes: ['models:call'] }), 'x')).status).toBe(200);
    const viewer = await space.member('VIEWER');
    const refused = await ask(viewer, 'x');
    expect([refused.status, refused.body.code, refused.body.error.type]).toEqual([
      403,
      'FORBIDDEN',
      'permission_error',
    ]);
    expect((await viewer.raw('GET', '/models/v1/models')).status).toBe(200);
    expect((await ask(await space.member('MEMBER'), 'x')).status).toBe(200);
  });

  it('answers other methods with 405', async () => {
    const reply = await space.owner.raw('DELETE', '/models/v1/chat/completions');
    expect([reply.status, reply.body.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
  });
});
