import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, type Reply, type TestSpace, until, usePlatform } from '@switchyard/testing';
import { AGENT, STREAM, framesOf, contentsOf } from './talk';

const platform = usePlatform();
const TEXT = '@@tool save_memory {"text": "x"}\n@@reply {{tool}}';
const NAMED = { scopes: ['*', 'approvals:answer'] };

interface Paused {
  agent_id: string;
  session_id: string;
  turn_id: string;
  interaction: { id: string; by: string };
}

describe('an approval', () => {
  let space: TestSpace;
  let owner: Client;
  beforeAll(async () => {
    space = await platform.newSpace();
    owner = space.owner;
  });

  const newAgent = async (rule: object = {}): Promise<string> => {
    const approvals = [{ tool: 'save_memory', ...rule }];
    const made = await owner.post('/agents', { ...AGENT, tools: ['save_memory', 'ask_user'], approvals });
    expect(made.status).toBe(201);
    return made.body.data.id;
  };
  const askApproval = async (agentId: string, by: Client, text = TEXT): Promise<Paused> => {
    const { body } = await by.post(`/agents/${agentId}/chat`, { ...contentsOf(text), stream: false });
    expect(body.data.status).toBe('WAITING_INPUT');
    return { ...body.data, agent_id: agentId };
  };
  const answer = (turn: Paused, by: Client, selected: string[], otherText: string | null = null): Promise<Reply> =>
    by.post(
      `/agents/${turn.agent_id}/turns/${turn.turn_id}/resume`,
      { sessionId: turn.session_id, interactionId: turn.interaction.id, selectedOptionIds: selected, otherText },
      { headers: STREAM },
    );
  const statusOf = async (turn: Paused): Promise<string> =>
    (await owner.get(`/agents/${turn.agent_id}/turns/${turn.turn_id}`)).body.data.status;
  const inbox = async (by: Client, turn: Paused) =>
    (await by.get(`/interactions?status=PENDING&agentId=${turn.agent_id}`)).body.data.find(
      ({ id }: { id: string }) => id === turn.interaction.id,
    );
  const expectNoScope = (reply: Reply): void => {
    expect([reply.status, reply.body.code]).toEqual([403, 'FORBIDDEN']);
    expect(reply.body.message).toContain('approvals:answer');
  };

  it('is not answered by a key with *, for any choice, and is by one that names the scope', async () => {
    const agentId = await newAgent();
    const [all, named] = [await space.key(), await space.key(NAMED)];
    const turn = await askApproval(agentId, all);
    for (const selected of [['approve'], ['deny'], [], ['no such option']])
      expectNoScope(await answer(turn, all, selected));
    expect(await statusOf(turn)).toBe('WAITING_INPUT');
    expect(await inbox(all, turn)).toMatchObject({ purpose: 'approval', answerable: false });
    expect(await inbox(named, turn)).toMatchObject({ purpose: 'approval', answerable: true });
    expect(await inbox(owner, turn)).toMatchObject({ answerable: true });
    expect((await answer(turn, named, ['no such option'])).status).toBe(400);
    expect((await answer(turn, named, ['approve'])).status).toBe(200);
    expect(await until(async () => (await statusOf(turn)) === 'COMPLETED')).toBe(true);
    // The answer is not shown either.
    expectNoScope(await answer(turn, all, ['approve']));
  });

  it('leaves questions of the agent to every key that may call it', async () => {
    const key = await space.key({ scopes: ['agents:call'] });
    const options = ['a', 'b'].map((id) => ({ id, label: id }));
    const question = { kind: 'single_choice', prompt: 'Which?', options };
    const turn = await askApproval(
      await newAgent(),
      key,
      `@@tool ask_user ${JSON.stringify(question)}\n@@reply {{tool}}`,
    );
    expect(await inbox(key, turn)).toMatchObject({ purpose: 'question', answerable: true });
    expect((await answer(turn, key, ['a'])).status).toBe(200);
  });

  it('by ADMIN is not given with the key of an ADMIN that lacks the scope', async () => {
    const member = await space.member();
    const turn = await askApproval(await newAgent({ by: 'ADMIN' }), member);
    const key = await space.key();
    expectNoScope(await answer(turn, key, ['approve']));
    expect(await inbox(key, turn)).toMatchObject({ answerable: false });
    expect((await answer(turn, await space.key(NAMED), ['approve'])).status).toBe(200);
  });

  it.each<[string, (key: Client, turn: Paused) => Promise<Reply>]>([
    [
      'Responses',
      (key, turn) =>
        key.raw('POST', '/openai/v1/responses', {
          model: turn.agent_id,
          input: [{ type: 'function_call_output', call_id: callOf(turn), output: 'approve' }],
        }),
    ],
    [
      'AG-UI',
      (key, turn) =>
        key.raw('POST', `/ag-ui/${turn.agent_id}`, {
          threadId: turn.session_id,
          runId: randomUUID(),
          messages: [],
          tools: [],
          context: [],
          resume: [
            { interruptId: turn.interaction.id, status: 'resolved', payload: { selectedOptionIds: ['approve'] } },
          ],
        }),
    ],
    [
      'LangGraph',
      (key, turn) =>
        key.raw('POST', `/langgraph/threads/${turn.session_id}/commands`, {
          id: 1,
          method: 'input.respond',
          params: { namespace: [], interrupt_id: turn.interaction.id, response: { selectedOptionIds: ['approve'] } },
        }),
    ],
  ])('is not answered through %s without the scope', async (_, ask) => {
    const key = await space.key();
    const turn = await askApproval(await newAgent(), key);
    expectNoScope(await ask(key, turn));
    expect(await statusOf(turn)).toBe('WAITING_INPUT');
    const reply = await ask(await space.key(NAMED), turn);
    expect([reply.status < 300, reply.body?.code]).toEqual([true, undefined]);
    expect(await until(async () => (await statusOf(turn)) === 'COMPLETED')).toBe(true);
  });

  describe('by OTHER', () => {
    it('is for a member who is not the user of the turn, and who sees it in the inbox', async () => {
      const [user, other, viewer] = [await space.member(), await space.member(), await space.member('VIEWER')];
      const turn = await askApproval(await newAgent({ by: 'OTHER' }), user);
      expect(turn.interaction.by).toBe('OTHER');
      const own = await answer(turn, user, ['approve']);
      expect([own.status, own.body.code]).toEqual([403, 'FORBIDDEN']);
      const ownKey = await space.key(NAMED, user);
      expect((await answer(turn, ownKey, ['approve'])).status).toBe(403);
      expect((await answer(turn, viewer, ['approve'])).status).toBe(404);
      expect([await inbox(user, turn), await inbox(viewer, turn)]).toEqual([undefined, undefined]);
      expect(await inbox(other, turn)).toMatchObject({ by: 'OTHER', answerable: true });
      const given = await answer(turn, other, ['approve']);
      expect([given.status, given.body.data]).toMatchObject([200, { idempotent: false, turn_id: turn.turn_id }]);
      expect(await until(async () => (await statusOf(turn)) === 'COMPLETED')).toBe(true);
      // Only its user can read the turn's output.
      expect((await other.get(`/agents/${turn.agent_id}/turns/${turn.turn_id}`)).status).toBe(404);
    });

    it('adds up with ADMIN to an ADMIN who is not the user of the turn', async () => {
      const strict = await platform.newSpace();
      const approvals = [{ tool: 'save_memory', by: 'ADMIN' }];
      expect((await strict.owner.patch(`/spaces/${strict.id}`, { settings: { approvals } })).status).toBe(200);
      const rule = { ...AGENT, tools: ['save_memory'], approvals: [{ tool: 'save_memory', by: 'OTHER' }] };
      const agentId = (await strict.owner.post('/agents', rule)).body.data.id as string;
      const turn = await askApproval(agentId, strict.owner);
      const [member, admin] = [await strict.member(), await strict.member('ADMIN')];
      expect((await answer(turn, strict.owner, ['approve'])).status).toBe(403);
      expect((await answer(turn, member, ['approve'])).status).toBe(404);
      expect(await inbox(member, turn)).toBeUndefined();
      expect(await inbox(admin, turn)).toMatchObject({ answerable: true });
      const given = await admin.stream(
        `/agents/${agentId}/turns/${turn.turn_id}/resume`,
        {
          sessionId: turn.session_id,
          interactionId: turn.interaction.id,
          selectedOptionIds: ['approve'],
          otherText: null,
        },
        { headers: STREAM },
      );
      expect(framesOf(await given.all()).events.at(-1)).toBe(PRODUCT_EVENTS.streamEnded);
    });
  });
});

const short = (id: string): string => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
const callOf = ({ turn_id: turnId, interaction }: Paused): string => `ask_${short(turnId)}_1_${short(interaction.id)}`;
