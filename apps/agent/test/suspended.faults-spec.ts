import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type TestSpace, until, usePlatform } from '@switchyard/testing';
import { AGENT, contentsOf, STREAM, type WireFrame } from './talk';

const platform = usePlatform();
const agentService = platform.service('agent');
const READ_CLOCK = { name: 'read_clock', description: 'the time', parameters: { type: 'object' } };
const MINUTE = '60000';

const decide = async (space: TestSpace, verb: 'suspend' | 'resume'): Promise<void> => {
  const body = verb === 'suspend' ? { reason: 'a test' } : {};
  expect((await space.operator.post(`/operator/spaces/${space.id}/${verb}`, body)).status).toBe(200);
};

/** A turn that waits for a tool of its host. */
class WaitingTurn {
  private constructor(
    readonly space: TestSpace,
    private readonly path: string,
    private readonly callId: string,
    private readonly sessionId: string,
  ) {}

  static async begin(space: TestSpace): Promise<WaitingTurn> {
    const agentId = (await space.owner.post('/agents', { ...AGENT, localTools: [READ_CLOCK] })).body.data.id as string;
    const turnId = randomUUID();
    const body = { ...contentsOf('@@tool read_clock {}\n@@reply so {{tool}}'), turnId };
    const stream = await space.owner.stream(`/agents/${agentId}/chat`, body, { headers: STREAM });
    for await (const frame of stream.frames) {
      const { event, call_id: callId } = (frame.data as WireFrame).params.data;
      if (event !== PRODUCT_EVENTS.localToolCall) continue;
      const [turn] = await platform.database.query<{ sessionId: string }>(
        'select session_id as "sessionId" from session.turns where turn_id = $1',
        [turnId],
      );
      return new WaitingTurn(space, `/agents/${agentId}/turns/${turnId}`, callId as string, turn?.sessionId ?? '');
    }
    throw new Error('the turn does not ask its host');
  }

  async stands(): Promise<{ turn?: string; call?: string }> {
    const [row = {}] = await platform.database.query<{ turn: string; call: string }>(
      `select t.status as turn, r.status as call from session.turns t
       join session.tool_results r on r.space_id = t.space_id and r.turn_key = t.id where t.space_id = $1`,
      [this.space.id],
    );
    return row;
  }

  async answer(): Promise<void> {
    const result = { sessionId: this.sessionId, callId: this.callId, result: 'noon' };
    const reply = await this.space.owner.post(`${this.path}/tool-results`, result);
    expect([reply.status, reply.body.code]).toEqual([200, undefined]);
    await until(async () => (await this.stands()).turn === 'COMPLETED');
  }
}

const WAITS = { turn: 'RUNNING', call: 'PENDING' };

describe('a turn that waits for a tool of its host, in a Space that is suspended', () => {
  afterAll(() => agentService.restart());

  const begin = async (): Promise<WaitingTurn> => WaitingTurn.begin(await platform.newSpace());

  it('does not go on without the tool, and takes its result when the Space is resumed', async () => {
    await agentService.restart({ LOCAL_TOOL_TIMEOUT_MS: '6000' });
    await agentService.ready();
    const turn = await begin();
    await decide(turn.space, 'suspend');
    const other = await begin();
    await until(async () => (await other.stands()).call === 'EXPIRED');
    await until(async () => (await other.stands()).turn === 'COMPLETED');
    expect(await turn.stands()).toEqual(WAITS);
    await decide(turn.space, 'resume');
    await turn.answer();
  }, 300_000);

  it('is taken up by the next process, and does not go on without the tool there', async () => {
    await agentService.restart({ LOCAL_TOOL_TIMEOUT_MS: '6000' });
    await agentService.ready();
    const turn = await begin();
    await decide(turn.space, 'suspend');
    await agentService.restart({ LOCAL_TOOL_TIMEOUT_MS: '6000' });
    await agentService.ready();
    const other = await begin();
    await until(async () => (await other.stands()).turn === 'COMPLETED');
    expect((await other.stands()).call).toBe('EXPIRED');
    expect(await turn.stands()).toEqual(WAITS);
    await decide(turn.space, 'resume');
    await turn.answer();
  }, 300_000);

  it('does not end after the time that a turn may take', async () => {
    await agentService.restart({ LOCAL_TOOL_TIMEOUT_MS: MINUTE, TURN_TIMEOUT_MS: '6000' });
    await agentService.ready();
    const turn = await begin();
    await decide(turn.space, 'suspend');
    const other = await begin();
    await until(async () => (await other.stands()).turn === 'FAILED');
    expect(await turn.stands()).toEqual(WAITS);
    await decide(turn.space, 'resume');
    await turn.answer();
  }, 300_000);
});

describe('a turn that is in a model call while its Space is suspended', () => {
  afterAll(() => agentService.restart());

  const LONG_CALL = '@@delay 250\n@@tokens 40';

  it('does not reach its time limit, and has its time back when the Space is resumed', async () => {
    await agentService.restart({ TURN_TIMEOUT_MS: '6000' });
    await agentService.ready();
    const begin = async (space: TestSpace): Promise<void> => {
      const agentId = (await space.owner.post('/agents', AGENT)).body.data.id as string;
      await space.owner.stream(`/agents/${agentId}/chat`, contentsOf(LONG_CALL), { headers: STREAM });
    };
    const statusOf = async (space: TestSpace): Promise<string | undefined> =>
      (
        await platform.database.query<{ status: string }>('select status from session.turns where space_id = $1', [
          space.id,
        ])
      )[0]?.status;
    const [space, other] = [await platform.newSpace(), await platform.newSpace()];
    await begin(space);
    await decide(space, 'suspend');
    await begin(other);
    await until(async () => (await statusOf(other)) === 'FAILED');
    expect(await statusOf(space)).toBe('RUNNING');
    await decide(space, 'resume');
    // It has more to say than fits into what would be left without the time that it has back.
    await until(async () => (await statusOf(space)) !== 'RUNNING');
    expect(await statusOf(space)).toBe('COMPLETED');
  }, 300_000);
});

describe('a turn whose model answers while its Space is suspended', () => {
  it('does not begin with its tool before the Space is resumed', async () => {
    await agentService.ready();
    const space = await platform.newSpace();
    const agentId = (await space.owner.post('/agents', { ...AGENT, localTools: [READ_CLOCK] })).body.data.id as string;
    await agentService.arm('agent.model-answered', 'delay', { delayMs: 3_000 });
    const turnId = randomUUID();
    await space.owner.stream(
      `/agents/${agentId}/chat`,
      { ...contentsOf('@@tool read_clock {}\n@@reply so {{tool}}'), turnId },
      { headers: STREAM },
    );
    await until(async () => !(await agentService.armed()).includes('agent.model-answered'));
    await decide(space, 'suspend');
    const calls = () =>
      platform.database.query('select status from session.tool_results where space_id = $1', [space.id]);
    await until(async () => {
      const [row] = await platform.database.query<{ calls: number }>(
        `select json_array_length(state::json->'state'->'calls') as calls from session.turns where turn_id = $1`,
        [turnId],
      );
      return (row?.calls ?? 0) > 0;
    });
    // Long enough for the tool of another turn.
    const other = await WaitingTurn.begin(await platform.newSpace());
    expect(await calls()).toEqual([]);
    await decide(space, 'resume');
    await until(async () => (await calls()).length > 0);
    // Turns that wait for their host would be lost with the process in other files, and tried alone.
    await other.answer();
    expect((await space.owner.post(`/agents/${agentId}/turns/${turnId}/cancel`, {})).status).toBe(200);
  }, 300_000);
});
