import type { Ctx, TurnRecord } from '@switchyard/contracts';
import { newId } from '@switchyard/kernel';
import { type TestSpace, until } from '@switchyard/testing';
import { type AgentSide, answered, content } from './agent-side';
import { useAgentSides } from './agent-sides';

const CROWD = Array.from({ length: 40 }, (_, n) => n);

let agents: AgentSide;
let space: TestSpace;
let ctx: Ctx;
const agentId = newId();
const platform = useAgentSides({ removeOpenTurns: 'after all' }, (sides) => {
  ({ agents, space } = sides);
  ctx = agents.ctxOf(space, space.owner);
});

const keyOf = ({ turn }: { turn: TurnRecord }): { key: string; epoch: number } => ({
  key: turn.key,
  epoch: turn.epoch,
});
const textsOf = async ({ turn }: { turn: TurnRecord }): Promise<string> =>
  JSON.stringify((await space.owner.get(`/agents/sessions/${turn.sessionId ?? ''}/messages`)).body.data);
const newSession = async (): Promise<string> => {
  const opened = await agents.open(ctx, { agentId });
  await agents.closeTurn(ctx, keyOf(opened));
  return opened.turn.sessionId ?? '';
};

describe('turns of one Space that open and end together', () => {
  it('are each their own, in new sessions and in those that were there', async () => {
    const sessions = await Promise.all(CROWD.slice(0, 10).map(newSession));
    const opened = await Promise.all(
      CROWD.map((n) => agents.open(ctx, { agentId, sessionId: sessions[n], message: content(`asked ${n}`) })),
    );
    expect(new Set(opened.map(({ turn }) => turn.sessionId)).size).toBe(CROWD.length);
    const [written] = await platform.database.query<{ n: number }>(
      `select count(distinct xmin::text)::int as n from session.turns where space_id = $1 and status = 'RUNNING'`,
      [space.id],
    );
    expect(written?.n).toBeLessThan(CROWD.length / 2);
    for (const [n, { turn, context, sessionCreated }] of opened.entries()) {
      expect(JSON.stringify(context)).toContain(`"asked ${n}"`);
      expect(sessionCreated).toBe(n >= sessions.length);
      if (!sessionCreated) expect(turn.sessionId).toBe(sessions[n]);
    }
    await Promise.all(opened.map((each, n) => agents.closeTurn(ctx, keyOf(each), [answered(`said ${n}`)])));
    const texts = await Promise.all(opened.map(textsOf));
    expect(texts).toEqual(CROWD.map((n) => expect.stringMatching(`"asked ${n}".*"said ${n}"`) as string));
  });

  it('hear only what they are refused for themselves', async () => {
    const sessionId = await newSession();
    const [fine, ofOneSession, unknown] = await Promise.all([
      Promise.all(CROWD.map(() => agents.open(ctx, { agentId }))),
      Promise.allSettled(CROWD.map(() => agents.open(ctx, { agentId, sessionId }))),
      agents.open(ctx, { agentId, sessionId: newId() }).catch((error: unknown) => error),
    ]);
    const [only, ...more] = ofOneSession.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(more).toEqual([]);
    const refusals = ofOneSession.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    const active = expect.stringContaining(`Turn ${only?.turn.id} is active`) as string;
    expect(refusals).toEqual(CROWD.slice(1).map(() => expect.objectContaining({ message: active }) as unknown));
    expect(unknown).toMatchObject({ code: 'NOT_FOUND' });

    const [lapsed, ...ends] = await Promise.allSettled(
      fine.map((each, n) => agents.closeTurn(ctx, { ...keyOf(each), epoch: n === 0 ? 7 : 1 })),
    );
    expect(lapsed).toMatchObject({
      reason: { message: expect.stringContaining('no longer held under epoch 7') as string },
    });
    expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('open nothing in a session that is deleted while they look', async () => {
    const [removed, stored] = [await newSession(), await newSession()];
    const end = await platform.database.hold(
      `update session.sessions set status = 'DELETED', deleted_at = now() where id = '${removed}'`,
      'commit',
    );
    const refused = agents.open(ctx, { agentId, sessionId: removed }).catch((error: unknown) => error);
    const others = await Promise.all(CROWD.map(() => agents.open(ctx, { agentId })));
    expect((await agents.open(ctx, { agentId, sessionId: stored })).outcome).toBe('opened');
    expect(others).toHaveLength(CROWD.length);
    const isWaiting = async (): Promise<boolean> => {
      const waiting = await platform.database.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%known as%'`,
      );
      return waiting.length > 0;
    };
    await until(isWaiting);
    await end();
    expect(await refused).toMatchObject({ code: 'NOT_FOUND' });
    const remaining = await platform.database.query(
      `select t.status, (select count(*)::int from session.messages m where m.session_id = t.session_id) as messages
        from session.turns t where session_id = $1`,
      [removed],
    );
    expect(remaining).toEqual([{ status: 'COMPLETED', messages: 2 }]);
  });
});
