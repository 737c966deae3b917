import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CompletionFrame, RelayStreams, makeCtx } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { TestSpace, expectWithin, until, usePlatform } from '@switchyard/testing';
import { openBusOf } from './support/service-bus';
import { useBuiltIn, useCatalogue, writeCatalogue } from './support/catalogue';
import { ask, balanceOf, expectLedgerAddsUp, settled } from './support/money';
import { OddUpstream, startOddUpstream, THOUGHT } from './support/odd-upstream';

const platform = usePlatform();
let space: TestSpace;
let odd: OddUpstream;

const MODELS = [
  'fine',
  'hang',
  'rubbish',
  'wrong-key',
  'busy',
  'too-long',
  'unprocessable',
  'no-usage',
  'thinker',
  'boaster',
  'half-frame',
  'no-event',
  'slow',
  'weary',
];

function catalogue(): Parameters<typeof useCatalogue>[2] {
  const main = { baseUrl: `${odd.url}/v1`, apiKeyEnv: 'NODE_ENV', retries: 1, headers: { 'x-ours': 'yes' } };
  const model = (id: string, extra: object = {}): object => ({
    id: `odd-${id}`,
    upstream: 'odd',
    upstreamModel: id,
    contextWindow: 1000,
    maxOutputTokens: 100,
    inputPrice: 1,
    outputPrice: 2,
    ...extra,
  });
  return {
    upstreams: {
      odd: main,
      impatient: { ...main, timeouts: { firstByteMs: 400 } },
      restless: { ...main, timeouts: { idleMs: 600 } },
      down: { baseUrl: 'http://127.0.0.1:9/v1', auth: 'none', retries: 0 },
      narrow: { baseUrl: `${odd.url}/v1`, auth: 'none', retries: 0, connections: 1 },
      spare: {
        baseUrl: `${odd.url}/spare/{model}`,
        apiKeyEnv: 'NODE_ENV',
        auth: 'api-key',
        query: { 'api-version': '2026-01-01' },
      },
    },
    models: [
      ...MODELS.map((id) => model(id)),
      model('silent', { upstream: 'impatient', upstreamModel: 'hang' }),
      model('stall', { upstream: 'restless' }),
      model('down', { upstream: 'down', upstreamModel: 'fine' }),
      model('fine', { id: 'maker/fine:8b' }),
      model('narrow', { upstream: 'narrow', upstreamModel: 'hang' }),
      model('rescued', { upstream: 'down', upstreamModel: 'fine', fallbacks: ['odd-fine'] }),
      model('routed', {
        upstream: undefined,
        upstreamModel: 'fine',
        routes: [
          { upstream: 'down', weight: 1000 },
          { upstream: 'spare', weight: 0 },
        ],
      }),
    ],
  };
}

beforeAll(async () => {
  odd = await startOddUpstream();
  space = await platform.newSpace();
  await useCatalogue(platform, space.owner, catalogue(), 'odd-fine');
});

afterAll(async () => {
  await useBuiltIn(platform, space.owner, 'odd-fine');
  await odd.close();
});

const askModel = (model: string, extra: object = {}): ReturnType<typeof ask> =>
  ask(space.owner, 'hello', { model: `odd-${model}`, ...extra });
const callsOf = (model: string): typeof odd.seen => odd.seen.filter((call) => call.body.includes(`"model":"${model}"`));
/** The first line of the relay's log that holds all of this; the last one may still be on its way. */
const logged = (...parts: string[]): Promise<string> =>
  until(() =>
    readFileSync(path.join(platform.state.home, 'logs/relay.log'), 'utf8')
      .split('\n')
      .slice(0, -1)
      .find((line) => parts.every((part) => line.includes(part))),
  );

describe('a good upstream', () => {
  it('is known to callers by the name of the catalogue, and not by its headers', async () => {
    const reply = await askModel('fine');
    expect(reply.body).toMatchObject({ model: 'odd-fine', usage: { total_tokens: 11 } });
    for (const name of ['set-cookie', 'server', 'openai-organization']) expect(reply.headers).not.toHaveProperty(name);
    expect(reply.headers['x-upstream-request-id']).toBe('req_1');
    const seen = callsOf('fine').at(-1);
    expect(seen?.headers).toMatchObject({
      authorization: 'Bearer test',
      'x-ours': 'yes',
      'accept-encoding': 'identity',
    });
  });

  it('may have models whose names hold slashes and colons, read as they are or as codes', async () => {
    for (const written of ['maker/fine:8b', 'maker%2Ffine%3A8b', 'maker%2ffine:8b']) {
      const found = await space.owner.raw('GET', `/models/v1/models/${written}`);
      expect([found.status, found.body.id]).toEqual([200, 'maker/fine:8b']);
    }
    expect((await space.owner.raw('GET', '/models/v1/models/maker%2Fother')).body.code).toBe('NOT_FOUND');
    expect((await space.owner.raw('GET', '/models/v1/models/maker%zz')).status).toBe(400);
    expect((await ask(space.owner, 'hello', { model: 'maker/fine:8b' })).body.model).toBe('maker/fine:8b');
  });

  it('gets the bytes of the caller but for the name of the model', async () => {
    const body =
      '{ "messages" : [ {"role":"user","content":"é"} ],"model": "odd-fine",  "seed":12345678901234567890, "temperature":1.0 }';
    await space.owner.raw('POST', '/models/v1/chat/completions', body);
    expect(odd.seen.at(-1)?.body).toBe(body.replace('odd-fine', 'fine'));
  });
});

describe('an upstream that', () => {
  it.each([
    ['is down', 'down'],
    ['hangs', 'silent'],
    ['sends rubbish', 'rubbish'],
  ])('%s is a 503, and costs nothing', async (_, model) => {
    const before = await balanceOf(space.owner);
    for (const stream of [false, true]) {
      const reply = await askModel(model, { stream });
      expect([reply.status, reply.body.code, reply.body.error.type]).toEqual([
        503,
        'RUNTIME_UNAVAILABLE',
        'server_error',
      ]);
    }
    expect(await balanceOf(space.owner)).toMatchObject({ balance: before.balance, reserved: 0 });
  });

  it('sends half an event and no more is a 503', async () => {
    expect((await askModel('no-event', { stream: true })).status).toBe(503);
  });

  it('does not take our key is a 503 for the caller, without a word of it, and an error in the log', async () => {
    const reply = await askModel('wrong-key');
    expect(reply.status).toBe(503);
    expect(JSON.stringify([reply.body, reply.headers])).not.toMatch(/sk-live|API key|401/);
    const log = await logged("rejected the platform's key", '"odd"');
    expect(JSON.parse(log)).toMatchObject({ level: 50, upstream: 'odd', status: 401, apiKeyEnv: 'NODE_ENV' });
    expect(log).not.toContain('sk-live');
  });

  it('is over its own limit is a 429 with its Retry-After, without its words', async () => {
    const reply = await askModel('busy');
    expect([reply.status, reply.headers['retry-after'], reply.body.code]).toEqual([429, '7', 'RATE_LIMITED']);
    expect(JSON.stringify(reply.body)).not.toContain('org-1');
  });

  it('refuses the request itself is quoted', async () => {
    expect(await askModel('too-long')).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_ERROR',
        error: { message: 'Too many tokens.', param: 'messages', code: 'context_length_exceeded' },
      },
    });
    expect((await askModel('unprocessable')).status).toBe(422);
    expect(callsOf('too-long')).toHaveLength(1);
  });

  it('fails once is asked again before the first byte', async () => {
    odd.failing.set('weary', 1);
    expect((await askModel('weary')).status).toBe(200);
    expect(callsOf('weary')).toHaveLength(2);
    odd.failing.set('weary', 2);
    expect((await askModel('weary', { stream: true })).status).toBe(503);
    odd.failing.clear();
  });

  it('breaks off within an event ends in an error that clients of OpenAI throw, and is paid as seen', async () => {
    const before = await balanceOf(space.owner);
    const reply = await askModel('half-frame', { stream: true });
    const events = (reply.body as string).trim().split('\n\n');
    expect(events).toHaveLength(2);
    expect(events[0]).toContain('"Hello"');
    expect(JSON.parse(events[1]?.slice(6) ?? '')).toMatchObject({
      success: false,
      code: 'RUNTIME_UNAVAILABLE',
      error: { type: 'server_error' },
    });
    const after = await settled(space.owner);
    expect(before.balance - after.balance).toBeGreaterThan(1);
    expect(before.balance - after.balance).toBeLessThan(20);
  });

  it('falls silent in the middle is broken off', async () => {
    const reply = await askModel('stall', { stream: true });
    expect(reply.body).toContain('"one "');
    expect(reply.body).toContain('RUNTIME_UNAVAILABLE');
  });

  it.each(['no-usage', 'boaster'])(
    'gives no usage, or none to believe, is counted with the tokenizer: %s',
    async (id) => {
      for (const stream of [false, true]) {
        const before = await balanceOf(space.owner);
        await askModel(id, { stream });
        const used = before.balance - (await balanceOf(space.owner)).balance;
        // "hello" and the role before it, and "Hello world out there".
        expect(used).toBeGreaterThanOrEqual(5);
        expect(used).toBeLessThan(12);
      }
      const [row] = await platform.database.query<{ estimated: boolean }>(
        `select estimated from relay.ledger where space_id = $1 and model = $2 limit 1`,
        [space.id, `odd-${id}`],
      );
      expect(row?.estimated).toBe(true);
    },
  );

  it('gives usage that cannot be believed is a warning in the log', async () => {
    await askModel('boaster');
    const log = await logged('implausible usage', '"odd-boaster"');
    expect(JSON.parse(log)).toMatchObject({ level: 40, upstream: 'odd', usage: expect.stringContaining('1000000001') });
  });
});

describe('fallbacks', () => {
  it('answer in the place of a model that is down, under their own name', async () => {
    expect((await askModel('rescued')).body.model).toBe('odd-fine');
    expect((await askModel('rescued', { stream: true })).status).toBe(200);
  });

  it('are those of the agent too, where a service asks', async () => {
    const agent = await openBusOf('agent', platform.state);
    const ctx = makeCtx({
      spaceId: space.id,
      userId: space.owner.identity.userId ?? null,
      role: 'OWNER',
      scopes: ['*'],
      credentialId: newId(),
      credentialType: 'jwt',
      applicationId: null,
    });
    const frames: CompletionFrame[] = [];
    for await (const frame of await agent.bus.stream(RelayStreams.complete, ctx, {
      model: 'odd-down',
      fallbackModels: ['odd-fine'],
      messages: [{ role: 'user', content: 'hello' }],
      attribution: { source: 'chat' },
    }))
      frames.push(frame);
    await agent.close();
    expect(frames.at(-1)).toMatchObject({ kind: 'done', model: 'odd-fine' });
  });

  it('take another route, with its own path, key header and query', async () => {
    expect((await askModel('routed')).body.model).toBe('odd-routed');
    const seen = odd.seen.at(-1);
    expect(seen?.path).toBe('/spare/fine/chat/completions?api-version=2026-01-01');
    expect(seen?.headers).toMatchObject({ 'api-key': 'test' });
    expect(seen?.headers).not.toHaveProperty('authorization');
  });
});

describe('a caller that leaves', () => {
  it('ends the call at the upstream within a second, and pays for what it saw', async () => {
    await expectWithin(1000, async () => {
      const before = await balanceOf(space.owner);
      const leaving = new AbortController();
      const reply = await space.owner.rawStream(
        'POST',
        '/models/v1/chat/completions',
        { model: 'odd-slow', stream: true, messages: [{ role: 'user', content: 'go' }] },
        { signal: leaving.signal },
      );
      let frames = 0;
      const reading = (async () => {
        for await (const _ of reply.frames) if ((frames += 1) === 5) leaving.abort();
      })();
      await reading.catch(() => undefined);
      const remaining = Date.now();
      const seen = await until(() => callsOf('slow').at(-1)?.abortedAt);
      const after = await settled(space.owner);
      expect(before.balance - after.balance).toBeGreaterThanOrEqual(5);
      expect(before.balance - after.balance).toBeLessThan(40);
      await expectLedgerAddsUp(platform, space);
      return seen - remaining;
    });
  });

  it('is noticed before the first byte too', async () => {
    await expectWithin(1000, async () => {
      const leaving = new AbortController();
      const before = await settled(space.owner);
      const calls = callsOf('hang').length;
      const waiting = space.owner.raw(
        'POST',
        '/models/v1/chat/completions',
        { model: 'odd-hang', messages: [{ role: 'user', content: 'go' }] },
        { signal: leaving.signal },
      );
      await until(() => callsOf('hang').length > calls);
      leaving.abort();
      await expect(waiting).rejects.toThrow();
      const remaining = Date.now();
      const seen = await until(() => callsOf('hang').at(-1)?.abortedAt);
      const after = await settled(space.owner);
      expect([after.reserved, before.balance > after.balance]).toEqual([0, true]);
      return seen - remaining;
    });
  });

  it('costs nothing and holds nothing while the question has not gone out', async () => {
    const before = await balanceOf(space.owner);
    const calls = callsOf('hang').length;
    let isAnswered = false;
    const first = askModel('narrow').finally(() => (isAnswered = true));
    await until(() => callsOf('hang').length > calls);
    const { reserved } = await balanceOf(space.owner);
    const leaving = new AbortController();
    const second = space.owner.raw(
      'POST',
      '/models/v1/chat/completions',
      { model: 'odd-narrow', messages: [{ role: 'user', content: 'hello' }] },
      { signal: leaving.signal },
    );
    second.catch(() => undefined);
    await until(async () => (await balanceOf(space.owner)).reserved > reserved);
    leaving.abort();
    await expect(second).rejects.toThrow();
    await until(async () => (await balanceOf(space.owner)).reserved <= reserved);
    expect(isAnswered).toBe(false);
    odd.hangUp();
    expect((await first).status).toBe(503);
    expect((await settled(space.owner)).balance).toBe(before.balance);
    expect(callsOf('hang')).toHaveLength(calls + 1);
  });
});

describe('an upstream that shows its thoughts', () => {
  it('is never told them again, not by a turn and not by a compaction, and is paid for them', async () => {
    const { owner } = space;
    const body = { name: 'Thinker', model: 'odd-thinker', systemPrompt: 'Think.' };
    const agentId = (await owner.post('/agents', body)).body.data.id;
    const chat = async (sessionId?: string) =>
      (
        await owner.post(`/agents/${agentId}/chat`, {
          contents: [{ type: 'text', text: 'So?' }],
          stream: false,
          ...(sessionId === undefined ? {} : { session_id: sessionId }),
        })
      ).body.data;
    const first = await chat();
    expect(first).toMatchObject({ answer: 'Said.', reasoning: THOUGHT, token_usage: { completion_tokens: 5 } });
    await chat(first.session_id);
    const compacted = await owner.post(`/agents/${agentId}/sessions/${first.session_id}/context/compact`, {});
    expect(compacted.body.data.compacted).toBe(true);
    await chat(first.session_id);
    const { data: messages } = (await owner.get(`/agents/sessions/${first.session_id}/messages`)).body;
    expect(messages.filter((message: { reasoning?: string }) => message.reasoning === THOUGHT)).toHaveLength(3);
    const bodies = callsOf('thinker').map((call) => call.body);
    expect(bodies).toHaveLength(4);
    expect(bodies.join()).toContain('Said.');
    expect(bodies.join()).not.toContain(THOUGHT);
  });

  it('passes them on as they are to callers of the relay', async () => {
    const answer = await ask(space.owner, '@@reasoning a b\n@@reply c');
    expect(answer.body).toMatchObject({
      choices: [{ message: { content: 'c', reasoning: 'a b' } }],
      usage: { completion_tokens: 3, completion_tokens_details: { reasoning_tokens: 2 } },
    });
  });
});

describe('a wrong catalogue', () => {
  it('is refused with every problem in the log, and the old one stays', async () => {
    writeCatalogue(platform, 'upstreams: {}\nmodels: [{id: x}]\ncolour: blue\n');
    const log = await logged('using the previous one');
    expect((JSON.parse(log) as { problems: string[] }).problems.length).toBeGreaterThanOrEqual(4);
    expect((await askModel('fine')).status).toBe(200);
    await useCatalogue(platform, space.owner, catalogue(), 'odd-fine');
  });
});
