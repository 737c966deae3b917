import { createMcpHandler } from '@modelcontextprotocol/server';
import { serviceCtx } from '@switchyard/contracts';
import { makeMcpServer } from './mcp-server';
import type { McpDeps } from './mcp-deps';
import type { ToolsNeeded } from './register-tools';
import { tools } from './tools';
import { type Era, type ListRequest, listRequestOf, ToolListCache } from './tool-list-cache';

const deps = { secret: new Uint8Array(32) } as McpDeps;
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const HEADERS = {
  modern: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
  legacy: {} as Record<string, string>,
};

interface Message {
  body?: object;
  headers?: Record<string, string>;
}

function messageOf(era: Era, { body = {}, headers = {} }: Message) {
  const params = era === 'modern' ? { _meta: META } : {};
  return {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params, ...body },
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...HEADERS[era],
      ...headers,
    },
  };
}

/** The request as the cache knows it. */
function listed(era: Era, message: Message = {}): ListRequest | null {
  const { body, headers } = messageOf(era, message);
  return listRequestOf({ method: 'POST', headers, body: Buffer.from(JSON.stringify(body)) }, body);
}

/** The SDK's output for a client of that version, and the tools of its server. */
async function list(
  written: ToolListCache,
  era: Era,
  message: Message = {},
): Promise<{ status: number; text: string; headers: object; needed?: ToolsNeeded }> {
  const { body, headers } = messageOf(era, message);
  let needed: ToolsNeeded | undefined;
  const handler = createMcpHandler((request) => {
    needed = written.needed(request.era);
    return makeMcpServer(serviceCtx('gateway'), deps, { tools: needed, client: null, refusal: null });
  });
  const request = new Request('http://localhost/mcp', { method: 'POST', headers });
  const answer = await handler.fetch(request, { parsedBody: body });
  const response = await written.complete(era, answer, listed(era, message));
  const { status } = response;
  return { status, text: await response.text(), headers: Object.fromEntries(response.headers), needed };
}

describe.each(['modern', 'legacy'] as const)('the list of tools of the %s era', (era) => {
  const written = new ToolListCache();

  it('is serialized by the SDK once, and reused', async () => {
    const first = await list(written, era);
    const again = await list(written, era);
    expect([first.needed, again.needed]).toEqual(['all', 'none']);
    expect(again.text).toBe(first.text);
    for (const { name } of tools) expect(again.text).toContain(`{"name":"${name}",`);
  });

  it.each([7, 'a', '"tools":[]', '"tools":[{'])('is answered under the id %j', async (id) => {
    const { text } = await list(written, era, { body: { id } });
    const answer = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as object;
    expect(answer).toMatchObject({ id, result: { tools: tools.map(({ name }) => ({ name })) } });
  });

  it('does not replace an error', async () => {
    const { text } = await list(written, era, { body: { method: 'tools/nothing' } });
    expect(text).toContain('"error":');
    expect(text).not.toContain('"name"');
  });

  const ready = (message: Message = {}): string | undefined => {
    const request = listed(era, message);
    return request ? written.ready(request)?.body.toString() : undefined;
  };

  it.each([2, -7, 'a', '"', '"tools":[]', '"id":1', '\u2028{}'])(
    'is ready under the id %j, as the SDK writes it',
    async (id) => {
      await list(written, era);
      const request = listed(era, { body: { id } });
      const answer = request && written.ready(request);
      const fromSdk = await list(written, era, { body: { id } });
      expect(answer?.body.toString()).toBe(fromSdk.text);
      expect(answer?.headers).toEqual(fromSdk.headers);
    },
  );

  it('is ready in every session', async () => {
    await list(written, era);
    expect(ready({ headers: { 'mcp-session-id': 'other' } })).toBe(ready());
  });

  it.each<[string, Message]>([
    ['other params', { body: { params: { cursor: 'x' } } }],
    ['no protocol', { body: { jsonrpc: '1.0' } }],
    ['another type of answer', { headers: { accept: 'text/plain' } }],
    ['another type of body', { headers: { 'content-type': 'text/plain' } }],
    ['another version', { headers: { 'mcp-protocol-version': '1999-01-01' } }],
    ['another name of the method', { headers: { 'mcp-method': 'tools/call' } }],
    ['an id that may be refused', { body: { id: 1.5 } }],
  ])('is not ready for a request with %s', async (_, message) => {
    await list(written, era);
    expect(ready()).toBeDefined();
    expect(ready(message)).toBeUndefined();
  });

  it.each(['progressToken', 'traceparent', 'tracestate', 'baggage'])(
    'is not kept for a request whose %s is another one each time',
    async (name) => {
      const message = { body: { params: { _meta: { ...META, [name]: 'a' } } } };
      await list(written, era);
      await list(written, era, message);
      expect(ready(message)).toBeUndefined();
    },
  );

  it('is not ready after an error of the SDK', async () => {
    const refused = { headers: { accept: 'text/plain', 'mcp-method': 'tools/call' } };
    const { text } = await list(written, era, refused);
    expect(text).toContain('"error":');
    expect(ready(refused)).toBeUndefined();
  });
});

it('is not cached if the SDK refuses the response', async () => {
  const written = new ToolListCache();
  await list(written, 'modern', { body: { params: {} } });
  expect(written.needed('modern')).toBe('all');
});
