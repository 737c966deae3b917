import { randomBytes } from 'node:crypto';
import { type Client, type Reply, type TestSpace, findCanaries, hasCanary, usePlatform } from '@switchyard/testing';
import { HOST, McpHost } from './mcp-host';
import { AGENT, STREAM, contentsOf } from './talk';

const platform = usePlatform();

describe('secrets in the headers of MCP servers', () => {
  let space: TestSpace;
  let owner: Client;
  let host: McpHost;

  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
    host = await McpHost.start();
  });
  afterAll(() => {
    host.close();
  });

  const secret = async (name: string, value: string, more: object = {}): Promise<string> => {
    const reply = await owner.post('/secrets', { name, value, ...more });
    expect(reply.status).toBe(201);
    return reply.body.data.id as string;
  };
  const save = (more: object, as = owner): Promise<Reply> => as.post('/agents', { ...AGENT, ...more });
  const withHeader = (Authorization: string): object => ({
    mcpServers: [{ name: 'calc', url: host.url, headers: { Authorization } }],
  });
  const agent = async (header: string): Promise<string> => {
    const reply = await save(withHeader(header));
    expect(reply.status).toBe(201);
    return reply.body.data.id as string;
  };
  const chat = async (id: string, text: string): Promise<Reply['body']> =>
    (await owner.post(`/agents/${id}/chat`, { ...contentsOf(text), stream: false })).body.data;

  it('are filled in for each call, with the value of the moment', async () => {
    const secretId = await secret('CALC', 'first');
    const id = await agent('Bearer {{ secrets.CALC }}');
    const [server] = (await owner.get(`/agents/${id}`)).body.data.mcpServers;
    expect(server).toEqual({ name: 'calc', url: host.url, headerNames: ['Authorization'], secretNames: ['CALC'] });
    host.seen.length = 0;
    expect((await chat(id, '@@tool calc__add {"a": 2, "b": 3}\n@@reply sum {{tool}}')).answer).toContain('5');
    expect(new Set(host.seen)).toEqual(new Set(['Bearer first']));
    await owner.put(`/secrets/${secretId}`, { value: 'second' });
    host.seen.length = 0;
    expect((await chat(id, '@@tool calc__add {"a": 2, "b": 3}\n@@reply sum {{tool}}')).answer).toContain('5');
    expect(new Set(host.seen)).toEqual(new Set(['Bearer second']));
  });

  it.each<[string, object, string]>([
    [
      'the address of a server',
      { mcpServers: [{ name: 'a', url: 'https://a.example/?k={{ secrets.KNOWN }}' }] },
      'mcpServers[0].url',
    ],
    [
      'the name of a header',
      { mcpServers: [{ name: 'a', url: 'https://a.example', headers: { '{{ secrets.KNOWN }}': 'x' } }] },
      'mcpServers[0].headers.{{ secrets.KNOWN }}',
    ],
    [
      'a filter',
      { mcpServers: [{ name: 'a', url: 'https://a.example', headers: { a: '{{ secrets.KNOWN | upper }}' } }] },
      'mcpServers[0].headers.a',
    ],
    ['the prompt', { systemPrompt: 'Say {{ secrets.KNOWN }}' }, 'systemPrompt'],
    ['the metadata', { metadata: { a: ['{{secrets.KNOWN}}'] } }, 'metadata.a[0]'],
    [
      'an unknown name',
      { mcpServers: [{ name: 'a', url: 'https://a.example', headers: { a: '{{ secrets.UNKNOWN }}' } }] },
      'mcpServers',
    ],
  ])('are refused in %s', async (_, more, at) => {
    await owner.post('/secrets', { name: 'KNOWN', value: 'x' });
    const reply = await save(more);
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(reply.body.details[0].path).toBe(at);
    const made = await save({});
    expect((await owner.put(`/agents/${made.body.data.id}`, more)).status).toBe(400);
  });

  it('need the scope secrets:read of those who save the agent', async () => {
    await owner.post('/secrets', { name: 'KNOWN', value: 'x' });
    const without = await space.key({ scopes: ['agents:write'] });
    expect((await save(withHeader('{{ secrets.KNOWN }}'), without)).status).toBe(403);
    const both = await space.key({ scopes: ['agents:write', 'secrets:read'] });
    expect((await save(withHeader('{{ secrets.KNOWN }}'), both)).status).toBe(201);
  });

  it('go to their hosts alone, and are missed when they are gone', async () => {
    const otherHost = await secret('ELSEWHERE', 'x', { hosts: ['api.example.com', '127.0.0.3'] });
    const id = await agent('{{ secrets.ELSEWHERE }}');
    host.seen.length = 0;
    const listed = await owner.get(`/agents/${id}/mcp/tools`);
    expect(listed.body.data).toEqual([]);
    expect(listed.body.unavailable).toEqual([{ server: 'calc', reason: expect.stringContaining('may not be sent') }]);
    expect(host.seen).toEqual([]);
    await owner.put(`/secrets/${otherHost}`, { hosts: [HOST], value: 'x' });
    expect((await owner.get(`/agents/${id}/mcp/tools`)).body.unavailable).toEqual([]);
    expect(host.seen.length).toBeGreaterThan(0);
    host.seen.length = 0;
    await owner.delete(`/secrets/${otherHost}?force=true`);
    const reply = await owner.get(`/agents/${id}/mcp/tools`);
    expect(reply.body.unavailable).toEqual([{ server: 'calc', reason: expect.stringContaining('ELSEWHERE') }]);
    expect(host.seen).toEqual([]);
  });

  it('fail the calls of a server if they cannot be decrypted, until they are saved again', async () => {
    const secretId = await secret('DAMAGED', 'x');
    const id = await agent('{{ secrets.DAMAGED }}');
    await platform.database.query('update key.secrets set sealed = set_byte(sealed, 1, 99) where id = $1', [secretId]);
    const problem = expect.stringContaining('The secret DAMAGED cannot be decrypted.') as string;
    host.seen.length = 0;
    const listed = await owner.get(`/agents/${id}/mcp/tools`);
    expect([listed.body.data, listed.body.unavailable]).toEqual([[], [{ server: 'calc', reason: problem }]]);
    expect((await chat(id, '@@reply still here')).answer).toContain('still here');
    expect(host.seen).toEqual([]);
    await owner.put(`/secrets/${secretId}`, { value: 'y' });
    expect((await chat(id, '@@tool calc__add {"a": 2, "b": 3}\n@@reply sum {{tool}}')).answer).toContain('5');
  });

  it('cannot make headers larger than 32 KiB, nor more than 50', async () => {
    await secret('LARGE', 'x'.repeat(8192));
    const id = await agent('{{ secrets.LARGE }}'.repeat(5));
    host.seen.length = 0;
    const { unavailable } = (await owner.get(`/agents/${id}/mcp/tools`)).body;
    expect(unavailable).toEqual([{ server: 'calc', reason: expect.stringContaining('32768 bytes') }]);
    expect(host.seen).toEqual([]);
    const headers = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`x-${i}`, 'x']));
    const reply = await save({ mcpServers: [{ name: 'calc', url: host.url, headers }] });
    expect([reply.status, reply.body.details[0].path]).toEqual([400, 'mcpServers[0].headers']);
  });

  it('are nowhere after a server has echoed them in every form', async () => {
    const canary = `canary-${randomBytes(18).toString('base64')}"/`;
    await secret('CANARY', canary);
    const id = await agent('Bearer {{ secrets.CANARY }}');
    host.echo = (seen) => {
      const value = seen.replace(/^Bearer /, '');
      const base64 = Buffer.from(`user:${value}`).toString('base64');
      return [seen, value, encodeURIComponent(value), JSON.stringify(value), base64].join(' ');
    };
    const answers: unknown[] = [];
    answers.push((await owner.get(`/agents/${id}/mcp/tools`)).body);
    for (const tool of ['whoami', 'structured', 'refuse']) {
      const answer = await chat(id, `@@tool calc__${tool} {}\n@@reply it said {{tool}}`);
      expect(answer.answer).toContain('***');
      answers.push(answer);
    }
    const stream = await owner.stream(`/agents/${id}/chat`, contentsOf('@@tool calc__whoami {}\n@@reply {{tool}}'), {
      headers: STREAM,
    });
    answers.push(await stream.all());
    const sessions = (await owner.get('/agents/sessions')).body.data as { id: string }[];
    for (const session of sessions) answers.push((await owner.get(`/agents/sessions/${session.id}/messages`)).body);
    answers.push((await owner.get(`/agents/${id}/versions`)).body);
    expect(host.seen).toContain(`Bearer ${canary}`);
    expect(answers.filter((answer) => hasCanary(JSON.stringify(answer), [canary]))).toEqual([]);
    expect(await findCanaries(platform, [canary])).toEqual([]);
  });
});
