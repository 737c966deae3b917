import { createMcpHandler } from '@modelcontextprotocol/server';
import { serviceCtx } from '@switchyard/contracts';
import { makeMcpServer } from './mcp-server';
import type { McpDeps } from './mcp-deps';
import type { ToolsNeeded } from './register-tools';
import { tools } from './tools';
import { ToolListCache } from './tool-list-cache';

const deps = { secret: new Uint8Array(32) } as McpDeps;
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const HEADERS = {
  modern: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
  legacy: {} as Record<string, string>,
};

/** Output for a client of that version, and the tools of its server. */
async function list(
  written: ToolListCache,
  era: 'modern' | 'legacy',
  message: object = {},
): Promise<{ status: number; text: string; needed?: ToolsNeeded }> {
  const params = era === 'modern' ? { _meta: META } : {};
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params, ...message };
  let needed: ToolsNeeded | undefined;
  const handler = createMcpHandler((request) => {
    needed = written.needed(request.era);
    return makeMcpServer(serviceCtx('gateway'), deps, { tools: needed, client: null, refusal: null });
  });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...HEADERS[era],
  };
  const request = new Request('http://localhost/mcp', { method: 'POST', headers });
  const response = await written.complete(era, await handler.fetch(request, { parsedBody: body }));
  return { status: response.status, text: await response.text(), needed };
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
    const { text } = await list(written, era, { id });
    const answer = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as object;
    expect(answer).toMatchObject({ id, result: { tools: tools.map(({ name }) => ({ name })) } });
  });

  it('does not replace an error', async () => {
    const { text } = await list(written, era, { method: 'tools/nothing' });
    expect(text).toContain('"error":');
    expect(text).not.toContain('"name"');
  });
});

it('is not cached if the SDK refuses the response', async () => {
  const written = new ToolListCache();
  await list(written, 'modern', { params: {} });
  expect(written.needed('modern')).toBe('all');
});
