import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, type Reply, until, usePlatform } from '@switchyard/testing';
import { HostileMcp } from './hostile-mcp';
import { AGENT, framesOf, contentsOf, STREAM } from './talk';

const platform = usePlatform();

const SLOTS = 20;
const RESERVE = 2;
const OF_OTHERS = 6;

/** A process with few places for turns, and a Space that wants them all. */
describe('the turns of a process', () => {
  const agentService = platform.service('agent');
  /** They begin turns by themselves: what other tests have left to them would have places here. */
  const starters = ['job', 'task', 'event-bus'].map((name) => platform.service(name));
  let greedy: Client;
  let other: Client;
  let host: HostileMcp;
  /** Ends the calls of tools that are held. */
  let releases: (() => void)[] = [];

  beforeAll(async () => {
    await Promise.all(starters.map((service) => service.stop()));
    await agentService.restart({ TURNS_PER_PROCESS: String(SLOTS), TURNS_HELD_PER_PROCESS: '60' });
    await agentService.ready();
    // Turns that other tests have left behind are taken over at the start, and end by themselves.
    await until(async () => (await gauge('working')) === 0 && (await gauge('held')) <= OF_OTHERS, {
      timeoutMs: 120_000,
    });
    greedy = (await platform.newSpace()).owner;
    other = (await platform.newSpace()).owner;
    host = await HostileMcp.start();
    host.list = (rpc, response) => {
      host.tools(rpc, response, ['hold']);
    };
    const answer = host.call;
    host.call = (rpc, response) => {
      releases.push(() => {
        answer(rpc, response);
      });
    };
  }, 300_000);

  afterAll(async () => {
    host.close();
    await Promise.all([agentService.restart(), ...starters.map((service) => service.restart())]);
    await Promise.all([agentService, ...starters].map((service) => service.ready()));
  }, 300_000);

  const chat = (client: Client, agentId: string, text: string): Promise<Reply> =>
    client.post(`/agents/${agentId}/chat`, { ...contentsOf(text), turnId: randomUUID(), stream: false });
  const make = async (client: Client, body: object = {}): Promise<string> =>
    (await client.post('/agents', { ...AGENT, ...body })).body.data.id;
  const gauge = (kind: string, suffix = ''): Promise<number> =>
    agentService.metric(`switchyard_turn_slots${suffix}`, { kind });

  it('are not all taken by one Space: another one chats at once, and the greedy one is told to wait', async () => {
    const id = await make(greedy, { mcpServers: [{ name: 'bad', url: host.url }] });
    const victim = await make(other);
    // Lists the tools once, so that no turn has to wait for the list.
    await greedy.get(`/agents/${id}/mcp/tools`);
    const count = SLOTS + 5;
    const turns = Array.from({ length: count }, () => chat(greedy, id, '@@tool bad__hold {}\n@@reply done'));
    await until(async () => releases.length + (await gauge('working', '_refused_total')) >= count);
    const taken = releases.length;
    expect(taken).toBe(SLOTS - RESERVE);
    const reply = await chat(other, victim, 'hello');
    expect([reply.status, reply.body.data.answer]).toEqual([200, 'You said: hello']);
    for (const answer of releases) answer();
    releases = [];
    const statuses = (await Promise.all(turns)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(taken).fill(200), ...Array(count - taken).fill(429)]);
    const refused = (await Promise.all(turns)).find(({ status }) => status === 429);
    expect(refused?.body.code).toBe('RATE_LIMITED');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('that wait for a tool of their host take no place from turns that work', async () => {
    const hold = { name: 'hold', description: 'holds', parameters: { type: 'object' } };
    const id = await make(greedy, { localTools: [hold] });
    const count = SLOTS + 5;
    const pending: (() => void)[] = [];
    /** Answers its tool only when it is told to. */
    const turn = async (): Promise<string> => {
      const turnId = randomUUID();
      const body = { ...contentsOf('@@tool hold {}\n@@reply got {{tool}}'), turnId };
      const stream = await greedy.stream(`/agents/${id}/chat`, body, { headers: STREAM });
      const raw = [];
      for await (const frame of stream.frames) {
        raw.push(frame);
        const { event, call_id: callId } = frame.data.params.data;
        if (event !== PRODUCT_EVENTS.localToolCall) continue;
        await new Promise<void>((resolve) => pending.push(resolve));
        await greedy.post(`/agents/${id}/turns/${turnId}/tool-results`, { callId, result: 'it' });
      }
      return framesOf(raw).text;
    };
    const turns: Promise<string>[] = [];
    // One after the other: until it asks, a turn has one of the places of those that work.
    while (turns.length < count) {
      turns.push(turn());
      await until(() => pending.length === turns.length);
    }
    await until(async () => (await gauge('working')) === 0);
    expect(await gauge('held')).toBeGreaterThanOrEqual(count);
    expect((await chat(greedy, await make(greedy), 'still here')).status).toBe(200);
    for (const answer of pending) answer();
    for (const text of await Promise.all(turns)) expect(text).toContain('got');
    await until(async () => (await gauge('held')) <= OF_OTHERS);
  });
});
