import { newId } from '@switchyard/kernel';
import { type Answer, type Client, raisedEvent, type TestSpace, until, watchPlatform } from '@switchyard/testing';
import { type AgentSide, answered, content } from './agent-side';
import { useAgentSides } from './agent-sides';

let space: TestSpace;
let ann: Client;
let ben: Client;
let agents: AgentSide;
let others: AgentSide;
// The lease of a turn that a test leaves open may expire: other turns of its Space then wait while it is recovered.
const platform = useAgentSides({ removeOpenTurns: 'after each' }, (sides) => {
  ({ space, ann, ben, agents, others } = sides);
});

const ctx = () => agents.ctxOf(space, ann);

describe('opening a turn', () => {
  it('makes the session, stores what was said, and gives the context', async () => {
    const agentId = newId();
    const { outcome, turn, sessionCreated, context } = await agents.open(ctx(), {
      agentId,
      message: content('Plan a trip'),
    });
    expect({ outcome, sessionCreated }).toEqual({ outcome: 'opened', sessionCreated: true });
    expect(turn).toMatchObject({ status: 'RUNNING', agentId, epoch: 1, owner: agents.owner });
    expect(context).toMatchObject({ summary: null, messages: [{ seq: 1, role: 'user' }] });
    const session = await ann.get(`/agents/sessions/${turn.sessionId ?? ''}`);
    expect(session.body.data).toMatchObject({ title: 'Plan a trip', agentId, activeTurnId: turn.id, messageCount: 1 });
  });

  it('gives the event of its end no name if the agent service of 0.1.0 opened it', async () => {
    const own = await platform.newSpace();
    await watchPlatform(own, 'turn.completed');
    const owner = agents.ctxOf(own, own.owner);
    const old = await agents.open(owner, { agentId: newId() });
    await agents.closeTurn(owner, old.turn);
    const isOld = ({ turnId }: Answer): boolean => turnId === old.turn.id;
    expect((await raisedEvent(own, 'turn.completed', isOld)).payload).toMatchObject({
      status: 'COMPLETED',
      name: null,
    });
    const next = await agents.open(owner, { agentId: newId(), agentName: 'Clerk' });
    await agents.closeTurn(owner, next.turn);
    const isNext = ({ turnId }: Answer): boolean => turnId === next.turn.id;
    expect((await raisedEvent(own, 'turn.completed', isNext)).payload).toMatchObject({ name: 'Clerk' });
  });

  it('lets exactly one of a hundred parallel turns into a session', async () => {
    const agentId = newId();
    const first = await agents.open(ctx(), { agentId });
    await agents.closeTurn(ctx(), first.turn);
    const sessionId = first.turn.sessionId ?? '';
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, () => agents.open(ctx(), { agentId, sessionId })),
    );
    const opened = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.turn] : []));
    expect(opened).toHaveLength(1);
    const refusals = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as { code: string; message: string }] : [],
    );
    expect(new Set(refusals.map((refusal) => refusal.code))).toEqual(new Set(['TURN_ALREADY_ACTIVE']));
    expect(refusals.every((refusal) => refusal.message.includes(opened[0]?.id ?? 'none'))).toBe(true);
    const { body } = await ann.get(`/agents/sessions/${sessionId}/messages`);
    expect(body.data.map((message: { seq: number }) => message.seq)).toEqual([1, 2, 3]);
  });

  it('makes one session and one turn of twenty equal requests', async () => {
    const request = { agentId: newId(), turnId: newId() };
    const results = await Promise.all(Array.from({ length: 20 }, () => agents.open(ctx(), request)));
    expect(results.filter((result) => result.outcome === 'opened')).toHaveLength(1);
    expect(results.filter((result) => result.outcome === 'attach')).toHaveLength(19);
    expect(new Set(results.map((result) => result.turn.sessionId)).size).toBe(1);
  });

  it('replays a finished turn, and refuses its id to another body', async () => {
    const request = { agentId: newId(), turnId: newId() };
    const { turn } = await agents.open(ctx(), request);
    await agents.closeTurn(ctx(), turn);
    expect(await agents.open(ctx(), request)).toMatchObject({
      outcome: 'replay',
      turn: { key: turn.key, result: { answer: 'Hi' } },
    });
    await expect(agents.open(ctx(), { ...request, fingerprint: 'g' })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    });
    await expect(agents.open(ctx(), { ...request, agentId: newId() })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    });
  });

  it('keeps equal turn ids of two users apart', async () => {
    const request = { agentId: newId(), turnId: newId() };
    const hers = await agents.open(ctx(), request);
    const his = await agents.open(agents.ctxOf(space, ben), request);
    expect(his.outcome).toBe('opened');
    expect(his.turn.key).not.toBe(hers.turn.key);
    expect(his.turn.sessionId).not.toBe(hers.turn.sessionId);
  });

  it('refuses a session of another agent', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    await agents.closeTurn(ctx(), turn);
    await expect(agents.open(ctx(), { agentId: newId(), sessionId: turn.sessionId ?? '' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('binds a session without an agent to the first one that speaks in it', async () => {
    const { id } = (await ann.post('/agents/sessions', {})).body.data;
    const agentId = newId();
    const { turn } = await agents.open(ctx(), { agentId, sessionId: id, message: content('First words') });
    await agents.closeTurn(ctx(), turn);
    expect((await ann.get(`/agents/sessions/${id}`)).body.data).toMatchObject({ agentId, title: 'First words' });
  });

  it('keeps nothing of a stateless turn but its record', async () => {
    const { turn, context } = await agents.open(ctx(), { agentId: newId(), stateless: true, message: undefined });
    expect(turn.sessionId).toBeNull();
    expect(context).toBeNull();
    const closed = await agents.closeTurn(ctx(), turn);
    expect(closed.context).toBeNull();
    expect((await agents.get(ctx(), turn.id)).status).toBe('COMPLETED');
  });
});

describe('closing a turn', () => {
  it('stores messages, counters and result together', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    const call = { id: 'c1', name: 'look', arguments: { at: 'it' } };
    const closed = await agents.closeTurn(ctx(), turn, [
      { role: 'assistant', content: [], toolCalls: [call] },
      { role: 'tool', content: [{ type: 'text', text: 'seen' }], toolCallId: 'c1', name: 'look' },
      { role: 'event', content: [], event: { kind: 'evidence' } },
      answered('Done'),
    ]);
    expect(closed.context).toMatchObject({ messageCount: 4, maxTokens: 8192, summaryState: 'NONE' });
    const session = await ann.get(`/agents/sessions/${turn.sessionId ?? ''}`);
    expect(session.body.data).toMatchObject({ activeTurnId: null, messageCount: 4 });
    const messages = await ann.get(`/agents/sessions/${turn.sessionId ?? ''}/messages`);
    expect(messages.body.data.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(messages.body.data[1]).toMatchObject({ role: 'assistant', toolCalls: [call] });
    expect(messages.body.data[2]).toMatchObject({ role: 'tool', toolCallId: 'c1', name: 'look' });
    expect(messages.body.data[3]).toMatchObject({ role: 'event', event: { kind: 'evidence' } });
  });

  it('does it once, however often it is said', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    const closes = await Promise.all(Array.from({ length: 10 }, () => agents.closeTurn(ctx(), turn)));
    expect(new Set(closes.map((closed) => JSON.stringify(closed))).size).toBe(1);
    const { body } = await ann.get(`/agents/sessions/${turn.sessionId ?? ''}/messages`);
    expect(body.data).toHaveLength(2);
  });

  it('shows the next turn what was said before', async () => {
    const agentId = newId();
    const first = await agents.open(ctx(), { agentId, message: content('One') });
    await agents.closeTurn(ctx(), first.turn, [answered('Two')]);
    const { context } = await agents.open(ctx(), {
      agentId,
      sessionId: first.turn.sessionId ?? '',
      message: content('Three'),
    });
    expect(context?.messages.map((message) => message.content[0]?.text)).toEqual(['One', 'Two', 'Three']);
  });
});

describe('a question', () => {
  async function request() {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    const interaction = await agents.pause(ctx(), turn);
    return { turn, interaction };
  }

  it('keeps the session’s place until it is answered', async () => {
    const { turn, interaction } = await request();
    expect(interaction).toMatchObject({
      turnId: turn.id,
      sessionId: turn.sessionId,
      status: 'PENDING',
      allowOther: false,
    });
    const days = (Date.parse(interaction.expiresAt) - Date.parse(interaction.createdAt)) / 86_400_000;
    expect(days).toBeCloseTo(7, 3);
    const another = agents.open(ctx(), { agentId: turn.agentId, sessionId: turn.sessionId ?? '' });
    await expect(another).rejects.toMatchObject({ code: 'TURN_ALREADY_ACTIVE' });
    expect(await agents.get(ctx(), turn.id)).toMatchObject({
      status: 'WAITING_INPUT',
      interaction: { id: interaction.id },
    });
  });

  it('goes to exactly one of twenty parallel answers', async () => {
    const { turn, interaction } = await request();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => agents.answer(ctx(), turn, interaction.id, n % 2 === 0 ? 'a' : 'b')),
    );
    const resumed = answers.filter((answer) => answer.outcome === 'resumed');
    expect(resumed).toHaveLength(1);
    const counted = resumed[0]?.interaction.selectedOptionIds;
    expect(answers.every((answer) => answer.interaction.selectedOptionIds?.[0] === counted?.[0])).toBe(true);
    expect(resumed[0]?.claim).toMatchObject({
      state: { step: 1 },
      reason: 'answered',
      turn: { epoch: 2, status: 'RUNNING' },
    });
    await agents.closeTurn(ctx(), resumed[0]?.turn ?? turn);
    expect((await agents.answer(ctx(), turn, interaction.id)).outcome).toBe('repeated');
  });

  it('is refused what it does not offer, and waits on', async () => {
    const { turn, interaction } = await request();
    await expect(agents.answer(ctx(), turn, interaction.id, 'x')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await agents.get(ctx(), turn.id)).status).toBe('WAITING_INPUT');
  });

  it('cannot be answered by other users', async () => {
    const { turn, interaction } = await request();
    await expect(agents.answer(agents.ctxOf(space, ben), turn, interaction.id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(agents.answer(ctx(), turn, newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(
      agents.answer(ctx(), { id: turn.id, agentId: newId(), sessionId: turn.sessionId }, interaction.id),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(
      agents.answer(ctx(), { id: turn.id, agentId: turn.agentId, sessionId: newId() }, interaction.id),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is asked once, however often the runtime says so', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    const id = newId();
    const twice = [await agents.pause(ctx(), turn, id), await agents.pause(ctx(), turn, id)];
    expect(twice.map((interaction) => interaction.id)).toEqual([id, id]);
  });

  it('can be cancelled: then a replica claims the turn to end it', async () => {
    const { turn, interaction } = await request();
    expect(await agents.cancel(ctx(), turn.id)).toMatchObject({
      cancelling: true,
      turn: { status: 'RUNNING', cancelRequested: true },
    });
    await expect(agents.answer(ctx(), turn, interaction.id)).rejects.toMatchObject({ code: 'INTERACTION_NOT_PENDING' });
    const claim = await until(async () => (await others.claim()).find(({ turn: { key } }) => key === turn.key));
    expect(claim).toMatchObject({ reason: 'cancelled', state: { step: 1 }, turn: { cancelRequested: true } });
    await others.closeTurn(ctx(), claim.turn, []);
    expect(await agents.cancel(ctx(), turn.id)).toMatchObject({ cancelling: false });
  });

  it('expires: then a replica claims the turn to end it', async () => {
    const { turn, interaction } = await request();
    await platform.database.query(`update session.interactions set expires_at = now() where id = $1`, [interaction.id]);
    await expect(agents.answer(ctx(), turn, interaction.id)).rejects.toMatchObject({ code: 'INTERACTION_NOT_PENDING' });
    const claim = await until(async () => (await others.claim()).find(({ turn: { key } }) => key === turn.key), {
      timeoutMs: 20_000,
    });
    expect(claim).toMatchObject({ reason: 'expired' });
    await expect(agents.answer(ctx(), turn, interaction.id)).rejects.toMatchObject({ code: 'INTERACTION_NOT_PENDING' });
    await others.closeTurn(ctx(), claim.turn, []);
  });
});

describe('cancelling', () => {
  it('tells the holder, also one that is about to ask', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    await agents.cancel(ctx(), turn.id);
    expect(await agents.saveCheckpoint(ctx(), turn, {})).toEqual({ cancelRequested: true });
    expect(await agents.pause(ctx(), turn)).toMatchObject({ status: 'CANCELLED' });
    expect(await agents.heartbeat([turn])).toEqual({ lost: [], cancelRequested: [turn.key] });
    await expect(agents.closeTurn(ctx(), turn, [])).resolves.toBeDefined();
  });

  it('is not for others', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    await expect(agents.cancel(agents.ctxOf(space, ben), turn.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

/** Three of them are more than a message may carry. */
const LARGE = 6 * 1024 * 1024;

describe('a local tool call', () => {
  it('takes one answer', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    await agents.awaitTool(ctx(), turn, 'c1');
    await expect(agents.submitTool(ctx(), turn, 'c2', 1)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await agents.submitTool(ctx(), turn, 'c1', { seen: true });
    await expect(agents.submitTool(ctx(), turn, 'c1', 2)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await agents.toolResults(ctx(), turn, { expire: 'c1' })).items).toMatchObject([
      { callId: 'c1', status: 'ANSWERED', result: { seen: true } },
    ]);
  });

  it('is over once its wait has ended', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    await agents.awaitTool(ctx(), turn, 'c1', 1);
    await agents.awaitTool(ctx(), turn, 'c2');
    const statusOf = async (callId: string) =>
      (await agents.toolResults(ctx(), turn, { expire: callId })).items[0]?.status;
    await until(async () => (await statusOf('c1')) === 'EXPIRED');
    await expect(agents.submitTool(ctx(), turn, 'c1', 1)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await statusOf('c2')).toBe('PENDING');
  });

  it('is read without the results of the others, which are too large for one message together', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    for (const callId of ['c1', 'c2', 'c3']) {
      await agents.awaitTool(ctx(), turn, callId);
      await agents.submitTool(ctx(), turn, callId, `${callId}${'x'.repeat(LARGE)}`);
    }
    await agents.awaitTool(ctx(), turn, 'c4');
    const { items } = await agents.toolResults(ctx(), turn, { callId: 'c2' });
    expect(items.map(({ callId, result }) => [callId, String(result).slice(0, 3)])).toEqual([['c2', 'c2x']]);
    expect(await agents.openCalls(ctx(), turn)).toEqual(['c4']);
  });

  it('takes no answer that makes those of its turn too large, also of several at one moment', async () => {
    const { turn } = await agents.open(ctx(), { agentId: newId() });
    const submit = (callId: string) => agents.submitTool(ctx(), turn, callId, 'x'.repeat(LARGE));
    for (const callId of ['c1', 'c2', 'c3', 'c4', 'c5', 'c6']) await agents.awaitTool(ctx(), turn, callId);
    for (const callId of ['c1', 'c2', 'c3', 'c4']) await submit(callId);
    const outcomes = await Promise.allSettled([submit('c5'), submit('c6')]);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toMatchObject([{ code: 'PAYLOAD_TOO_LARGE' }]);
    const [open] = await agents.openCalls(ctx(), turn);
    await agents.submitTool(ctx(), turn, String(open), 'small');
  });
});
