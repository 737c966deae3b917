import { DEFAULT_PATHS, checkPath, isOpenMethod, meteringOf, opensPath, refuseStoredState } from './allowed-paths';
import { bodyFor, parseRelayBody } from './relay-body';
import { requestHeaders, responseHeaders } from './forwarded-headers';
import { retryAfterSeconds } from './retry-after';
import { mapUpstreamError } from './upstream-error';
import { meaningOf } from './upstream-status-meaning';

const now = new Date('2026-01-01T00:00:00.000Z');

describe('paths of the relay', () => {
  it.each(['chat/completions', 'models/org/name-1.5:free', 'audio/speech'])('takes %s', (path) => {
    expect(checkPath(path)).toBe(path);
  });

  it.each([
    '../admin',
    'a/../b',
    'a//b',
    '/evil.example/x',
    '',
    'a/',
    '%2e%2e/x',
    'a\\b',
    'a;b',
    'a b',
    'é',
    './a',
    `a/${'x'.repeat(1100)}`,
  ])('refuses %j', (path) => {
    expect(() => checkPath(path)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it.each([
    'chat/completions',
    'completions',
    'embeddings',
    'responses',
    'models',
    'moderations',
    'images/edits',
    'audio/speech',
  ])('opens %s without a list in the catalogue', (path) => {
    expect(opensPath(DEFAULT_PATHS, path)).toBe(true);
  });

  it.each([
    'realtime/client_secrets',
    'chatkit/sessions',
    'messages',
    'files',
    'responses/resp_1',
    'responses/input_tokens',
    'chat/completions/x',
    'Chat/completions',
    'CHATKIT/sessions',
    'Files',
    'images',
    'images/a/b',
    'images/Edits',
    'images/a.b',
    'audio/a:b',
    'chat/completions.',
  ])('keeps %s closed without a list in the catalogue', (path) => {
    expect(opensPath(DEFAULT_PATHS, path)).toBe(false);
  });

  it('opens one more word where the catalogue says so, and nothing below it', () => {
    expect(
      ['files/a', 'files/a-b_2', 'files/a/content', 'files', 'other/a'].map((path) => opensPath(['files/*'], path)),
    ).toEqual([true, true, false, false, false]);
  });

  it('does not open reading what is metered by tokens: it would list what the account stores', () => {
    expect([
      isOpenMethod('GET', 'responses'),
      isOpenMethod('GET', 'chat/completions'),
      isOpenMethod('GET', 'files'),
    ]).toEqual([false, false, true]);
  });

  it('counts completions in tokens, other calls flat, and reading not at all', () => {
    expect(
      ['chat/completions', 'embeddings', 'responses', 'completions'].map((path) => meteringOf('POST', path)),
    ).toEqual(['tokens', 'tokens', 'tokens', 'tokens']);
    expect(meteringOf('POST', 'audio/speech')).toBe('flat');
    expect(meteringOf('GET', 'anything')).toBe('free');
  });
});

describe('bodies of the relay', () => {
  it('reach an upstream of the same model byte for byte', () => {
    const text = '{ "model":"m", "messages":[], "seed": 12345678901234567890 }';
    expect(bodyFor(parseRelayBody(text), { model: 'm', addUsage: false })).toBe(text);
  });

  it('ask for usage without losing other stream options', () => {
    const body = parseRelayBody('{"model":"m","stream":true,"stream_options":{"x":1}}');
    expect(JSON.parse(bodyFor(body, { model: 'u', addUsage: true }))).toEqual({
      model: 'u',
      stream: true,
      stream_options: { x: 1, include_usage: true },
    });
  });

  it.each(['api_base', 'base_url', 'api_key', 'extra_headers', 'organization'])('cannot carry %s', (name) => {
    expect(() => parseRelayBody(JSON.stringify({ model: 'm', [name]: 'x' }))).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    );
  });

  it.each(['', '[]', '{"messages":[]}', '{"model":1}'])('refuses %s', (text) => {
    expect(() => parseRelayBody(text)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });
});

describe('headers of the relay', () => {
  it('let neither credentials nor hop-by-hop headers through', () => {
    const given = {
      authorization: 'Bearer x',
      cookie: 'a',
      host: 'h',
      'x-forwarded-for': '1',
      connection: 'close',
      accept: '*/*',
      'content-type': 'application/json',
      'openai-organization': 'o',
      'openai-beta': 'b',
    };
    expect(requestHeaders(given)).toEqual({ accept: '*/*', 'content-type': 'application/json', 'openai-beta': 'b' });
  });

  it("show little of the upstream's", () => {
    const given = {
      'set-cookie': ['a'],
      server: 'x',
      'content-type': 'text/plain',
      'openai-organization': 'o',
      'x-request-id': 'req_1',
      'x-ratelimit-limit-requests': '1',
      'transfer-encoding': 'chunked',
    };
    expect(responseHeaders(given)).toEqual({ 'content-type': 'text/plain', 'x-upstream-request-id': 'req_1' });
  });
});

describe('errors of upstreams', () => {
  const answer = (status: number, body = '', headers = {}): Parameters<typeof mapUpstreamError>[0] => ({
    status,
    headers,
    body,
  });

  it.each([
    [400, 400, 'VALIDATION_ERROR'],
    [404, 404, 'NOT_FOUND'],
    [409, 409, 'CONFLICT'],
    [422, 422, 'VALIDATION_ERROR'],
    [429, 429, 'RATE_LIMITED'],
    [401, 503, 'RUNTIME_UNAVAILABLE'],
    [402, 503, 'RUNTIME_UNAVAILABLE'],
    [403, 503, 'RUNTIME_UNAVAILABLE'],
    [413, 503, 'RUNTIME_UNAVAILABLE'],
    [418, 503, 'RUNTIME_UNAVAILABLE'],
    [500, 503, 'RUNTIME_UNAVAILABLE'],
    [302, 503, 'RUNTIME_UNAVAILABLE'],
  ])('%i becomes %i %s', (status, shown, code) => {
    expect(mapUpstreamError(answer(status, '{"error":{"message":"m"}}'), now)).toMatchObject({ status: shown, code });
  });

  it("pass on what is about the request, with the upstream's own param and code", () => {
    const body = JSON.stringify({
      error: { message: 'Too long.', param: 'messages', code: 'context_length_exceeded', type: 'x' },
    });
    expect(mapUpstreamError(answer(400, body), now)).toMatchObject({
      message: 'Too long.',
      param: 'messages',
      upstreamCode: 'context_length_exceeded',
    });
  });

  it.each([
    'Incorrect API key provided: sk-abcd1234efgh',
    'see https://internal.host/x',
    'Bearer abc.def',
    `id ${'a1'.repeat(20)}`,
  ])('hide %s', (message) => {
    const shown = mapUpstreamError(answer(400, JSON.stringify({ error: { message } })), now).message;
    expect(shown).toContain('[hidden]');
    expect(shown).not.toMatch(/sk-abcd|internal|abc\.def|a1a1/);
  });

  it('never repeat what an upstream said about our account', () => {
    expect(
      JSON.stringify(mapUpstreamError(answer(401, '{"error":{"message":"account 12 is blocked"}}'), now)),
    ).not.toContain('account');
  });

  it('survive rubbish', () => {
    for (const body of ['', '<html>', 'null', '[]', '{"error":null}', '{"error":"plain"}'])
      expect(mapUpstreamError(answer(400, body), now).status).toBe(400);
  });

  it.each([
    ['7', 7],
    ['0.2', 1],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60],
    ['soon', null],
    ['-3', null],
  ])('read Retry-After %s', (text, seconds) => {
    expect(retryAfterSeconds({ 'retry-after': text }, now)).toBe(seconds);
  });

  it('prefer milliseconds', () => {
    expect(retryAfterSeconds({ 'retry-after-ms': '1500', 'retry-after': '9' }, now)).toBe(2);
  });

  it('sort statuses by what helps', () => {
    expect([200, 400, 401, 404, 408, 429, 500, 501, 503].map(meaningOf)).toEqual([
      'answered',
      'refused',
      'denied',
      'refused',
      'failed',
      'busy',
      'failed',
      'denied',
      'failed',
    ]);
  });
});

describe('a body of responses', () => {
  const check =
    (fields: object, path = 'responses') =>
    () => {
      refuseStoredState(path, fields as Record<string, unknown>);
    };

  it.each([
    { previous_response_id: 'resp_1' },
    { conversation: 'conv_1' },
    { conversation: { id: 'c' } },
    { background: true },
  ])('may not reach for what the account stores: %j', (fields) => {
    const [name] = Object.keys(fields);
    expect(check(fields)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path: name })] }),
    );
    expect(check(fields, 'chat/completions')).not.toThrow();
  });

  it('may say that it does not', () => {
    expect(check({ previous_response_id: null, conversation: null, background: false, store: true })).not.toThrow();
  });
});
