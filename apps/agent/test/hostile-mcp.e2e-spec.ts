import { type Client, until, usePlatform } from '@switchyard/testing';
import { HostileMcp } from './hostile-mcp';
import { AGENT, contentsOf } from './talk';

const platform = usePlatform();
const MIB = 1024 * 1024;

describe('a hostile MCP server', () => {
  let owner: Client;
  let host: HostileMcp;

  beforeAll(async () => {
    owner = (await platform.newSpace()).owner;
  });
  beforeEach(async () => {
    host = await HostileMcp.start();
  });
  afterEach(() => {
    host.close();
  });

  const agent = async (): Promise<string> =>
    (await owner.post('/agents', { ...AGENT, mcpServers: [{ name: 'bad', url: host.url }] })).body.data.id;
  const listed = async (id: string): Promise<{ names: string[]; reasons: string[] }> => {
    const { body } = await owner.get(`/agents/${id}/mcp/tools`);
    return {
      names: body.data.map(({ name }: { name: string }) => name),
      reasons: body.unavailable.map(({ reason }: { reason: string }) => reason),
    };
  };
  const lists = (): number => host.requests.filter((method) => method === 'tools/list').length;

  it('that lists several pages is read to the end', async () => {
    host.list = (rpc, response) => {
      const page = Number(rpc.params?.cursor ?? 0);
      host.tools(rpc, response, [`tool${page}`], page < 3 ? String(page + 1) : undefined);
    };
    expect(await listed(await agent())).toEqual({ names: ['tool0', 'tool1', 'tool2', 'tool3'], reasons: [] });
  });

  it('that lists more than 500 tools is unavailable, and is asked for no further page', async () => {
    host.list = (rpc, response) => {
      const page = Number(rpc.params?.cursor ?? 0);
      const names = Array.from({ length: 200 }, (_, at) => `t${page}-${at}`);
      host.tools(rpc, response, names, String(page + 1));
    };
    const { names, reasons } = await listed(await agent());
    expect([names, reasons]).toEqual([[], [expect.stringContaining('more than 500 tools')]]);
    expect(lists()).toBe(3);
  });

  it('that is slow holds its Space up, and no other', async () => {
    let [open, most] = [0, 0];
    // One for each of an agent's servers: to a single address there are not many connections anyway.
    const slow = await Promise.all(Array.from({ length: 10 }, () => HostileMcp.start()));
    for (const server of slow)
      server.list = (_, response) => {
        most = Math.max(most, (open += 1));
        response.on('close', () => (open -= 1));
      };
    const mcpServers = slow.map(({ url }, at) => ({ name: `s${at}`, url }));
    const ids = await Promise.all(
      Array.from({ length: 7 }, async () => (await owner.post('/agents', { ...AGENT, mcpServers })).body.data.id),
    );
    const waiting = Promise.all(ids.map((id) => listed(id)));
    // All that one Space may hold while no other waits: 48 at once, less what is kept free.
    await until(() => open >= 32);
    const other = (await platform.newSpace()).owner;
    const servers = [{ name: 'good', url: host.url }];
    const { id } = (await other.post('/agents', { ...AGENT, mcpServers: servers })).body.data;
    host.list = (rpc, response) => {
      host.tools(rpc, response, ['quick']);
    };
    const { body } = await other.get(`/agents/${id}/mcp/tools`);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['quick']);
    expect(most).toBe(32);
    for (const server of slow) server.close();
    for (const { names, reasons } of await waiting) expect([names.length, reasons.length]).toEqual([0, 10]);
  });

  it('that sends large pages without end is unavailable after 4 MiB in all', async () => {
    host.list = (rpc, response) => {
      const page = Number(rpc.params?.cursor ?? 0);
      const tools = [{ name: `t${page}`, description: 'x'.repeat(1.5 * MIB), inputSchema: { type: 'object' } }];
      const text = JSON.stringify({ jsonrpc: '2.0', id: rpc.id, result: { tools, nextCursor: String(page + 1) } });
      response.setHeader('content-type', 'application/json');
      response.end(text);
    };
    const { reasons } = await listed(await agent());
    expect(reasons).toEqual([expect.stringContaining('bytes')]);
    expect(lists()).toBeLessThanOrEqual(3);
  });

  it('that lists schemas of too many values is unavailable before they are built', async () => {
    let schema = { type: 'object', x: Array.from({ length: 9000 }, () => ({})) };
    host.list = (rpc, response) => {
      const tools = Array.from({ length: 20 }, (_, at) => ({ name: `t${at}`, inputSchema: schema }));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: rpc.id, result: { tools } }));
    };
    expect(await listed(await agent())).toEqual({ names: [], reasons: [expect.stringContaining('50000 JSON values')] });
    schema = { type: 'object', x: Array.from({ length: 1000 }, () => ({})) };
    expect((await listed(await agent())).names).toHaveLength(20);
  });

  it('that stalls in the middle of a page is unavailable in time, and its connection ends', async () => {
    host.list = (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.write('{"jsonrpc":');
    };
    const id = await agent();
    expect((await listed(id)).reasons).toEqual([expect.stringContaining('in time')]);
    await until(() => host.broken >= 1);
    expect(lists()).toBe(1);
    // The next look does not ask again at once.
    expect((await listed(id)).reasons).toHaveLength(1);
    expect(lists()).toBe(1);
  });

  it('that answers a call with too much fails that call alone', async () => {
    host.list = (rpc, response) => {
      host.tools(rpc, response, ['flood', 'stall', 'fine']);
    };
    const fine = host.call;
    host.call = (rpc, response) => {
      const { name } = rpc.params as { name: string };
      if (name === 'fine') {
        fine(rpc, response);
        return;
      }
      response.setHeader('content-type', 'application/json');
      response.write(`{"jsonrpc":"2.0","id":${rpc.id},"result":{"content":[{"type":"text","text":"`);
      const block = 'x'.repeat(256 * 1024);
      const pump = (): void => {
        while (!response.destroyed && response.write(block));
        if (!response.destroyed) response.once('drain', pump);
      };
      pump();
    };
    const id = await agent();
    const text = '@@tool bad__flood {}\n@@tool bad__fine {}\n@@reply {{tool}}';
    const reply = (await owner.post(`/agents/${id}/chat`, { ...contentsOf(text), stream: false })).body.data;
    expect(
      reply.tool_executions.map(({ name, status }: { name: string; status: string }) => [name, status]).sort(),
    ).toEqual([
      ['bad__fine', 'succeeded'],
      ['bad__flood', 'failed'],
    ]);
    await until(() => host.broken >= 1);
  });

  it('whose call is cancelled with its turn loses that request, and the calls of others go on', async () => {
    let answerSlow: (() => void) | undefined;
    host.list = (rpc, response) => {
      host.tools(rpc, response, ['stall', 'slow']);
    };
    const fine = host.call;
    host.call = (rpc, response) => {
      const { name } = rpc.params as { name: string };
      if (name === 'slow')
        answerSlow = () => {
          fine(rpc, response);
        };
    };
    const id = await agent();
    const chat = (tool: string, turnId: string) =>
      owner.post(`/agents/${id}/chat`, {
        ...contentsOf(`@@tool bad__${tool} {}\n@@reply {{tool}}`),
        turnId,
        stream: false,
      });
    const slow = chat('slow', crypto.randomUUID());
    await until(() => answerSlow !== undefined);
    const turnId = crypto.randomUUID();
    const stalled = chat('stall', turnId);
    await until(() => host.requests.filter((method) => method === 'tools/call').length === 2);
    expect((await owner.post(`/agents/${id}/turns/${turnId}/cancel`, {})).status).toBe(200);
    expect((await stalled).body.data.status).toBe('CANCELLED');
    await until(() => host.broken === 1);
    answerSlow?.();
    expect((await slow).body.data.answer).toContain('called');
    expect(host.broken).toBe(1);
  });
});
