import type { Ctx } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { type TestSpace, usePlatform } from '@switchyard/testing';
import { AgentSide, answered, content } from './agent-side';

/** A turn whose context has more tokens than its limit is not opened. */
const platform = usePlatform();
const LONG = 'word '.repeat(400);
const SHORT = 'word';

let space: TestSpace;
let agents: AgentSide;
let ctx: Ctx;
let agentId: string;

beforeAll(async () => {
  agents = await AgentSide.connect(platform);
  space = await platform.newSpace();
  ctx = agents.ctxOf(space, space.owner);
  agentId = newId();
});
afterAll(() => agents.close());

async function longSession(): Promise<string> {
  const { turn } = await agents.open(ctx, { agentId, message: content(LONG) });
  await agents.closeTurn(ctx, turn, [answered(LONG)]);
  return turn.sessionId ?? '';
}

/** All that an opening may write. */
const rows = async (): Promise<unknown> =>
  platform.database.query(
    `select (select count(*) from session.turns where space_id = $1) as turns,
       (select count(*) from session.messages where space_id = $1) as messages,
       (select json_agg(json_build_object('id', id, 'last', last_seq) order by id) from session.sessions where space_id = $1) as sessions`,
    [space.id],
  );

describe('a limit for the tokens of the context', () => {
  it.each([
    ['in a session that has more', async () => ({ sessionId: await longSession(), message: content(SHORT) })],
    ['with a first message of more', () => Promise.resolve({ message: content(LONG) })],
    [
      'in a session that it would make',
      () => Promise.resolve({ sessionId: newId(), makesSession: 'own' as const, message: content(LONG) }),
    ],
    ['with a history of more', () => Promise.resolve({ message: content(SHORT), before: [content(LONG)] })],
  ])('keeps a turn from being opened %s, and nothing is written', async (_case, make) => {
    const request = { agentId, turnId: newId(), ...(await make()) };
    const before = await rows();
    const refused = await agents.tryOpen(ctx, { ...request, contextTokenLimit: 100 });
    expect(refused).toMatchObject({ outcome: 'over-limit', turn: null, sessionCreated: false });
    expect(JSON.stringify(refused.context?.messages)).toContain(LONG);
    expect(await rows()).toEqual(before);
    // The number that it answers with is the least that opens the turn.
    const { contextTokens = 0 } = refused;
    const tooFew = await agents.tryOpen(ctx, { ...request, contextTokenLimit: contextTokens - 1 });
    expect(tooFew.outcome).toBe('over-limit');
    const opened = await agents.open(ctx, { ...request, contextTokenLimit: contextTokens });
    expect(opened.outcome).toBe('opened');
    await agents.closeTurn(ctx, opened.turn, []);
  });

  it('opens a turn that is within it, in one session after another', async () => {
    const first = await agents.open(ctx, { agentId, message: content(SHORT), contextTokenLimit: 100 });
    await agents.closeTurn(ctx, first.turn);
    const sessionId = first.turn.sessionId ?? '';
    const second = await agents.open(ctx, { agentId, sessionId, message: content(SHORT), contextTokenLimit: 100 });
    expect(second.outcome).toBe('opened');
    await agents.closeTurn(ctx, second.turn);
  });

  it('is asked for neither by a repeat of a request nor beside an active turn', async () => {
    const sessionId = await longSession();
    const request = { agentId, sessionId, turnId: newId(), message: content(SHORT) };
    const { turn } = await agents.open(ctx, request);
    const repeated = await agents.open(ctx, { ...request, contextTokenLimit: 1 });
    expect([repeated.outcome, repeated.turn.key]).toEqual(['attach', turn.key]);
    await expect(agents.tryOpen(ctx, { ...request, turnId: newId(), contextTokenLimit: 1 })).rejects.toMatchObject({
      code: 'TURN_ALREADY_ACTIVE',
    });
    await agents.closeTurn(ctx, turn);
    expect((await agents.open(ctx, { ...request, contextTokenLimit: 1 })).outcome).toBe('replay');
  });
});
