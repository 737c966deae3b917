import { randomUUID } from 'node:crypto';
import { SessionCalls } from '@switchyard/contracts';
import { TestPlatform, type TestSpace } from '@switchyard/testing';
import type { Peer } from '../../../libs/messaging/test/conformance/peer';
import { type MeasuredCall, answerTimes } from '../answer-times';
import { type Sized, compareSizes, costBySize } from '../cost-by-size';
import { withPeer } from '../gateway-peer';
import { HttpCaller, chatTurn } from '../http-caller';
import { startNoOpGateway } from '../no-op-side';
import { ownerCtx } from '../owner-ctx';
import type { BenchContext, BenchRow, Measured } from '../row';
import { ONE_SERVICE } from '../shape';

const SIZES = [10_000, 100_000, 1_000_000] as const;
const PIECE = 100_000;
const DAYS = 365;
const TURNS = { times: 200, callers: 8 };
const AGENT = { name: 'bench', model: 'sim-chat', systemPrompt: 'You are measured.' };
/** One in so many sessions is of an agent that is hardly used, and has a title of its own. */
const RARE = 10_000;
const RARE_AGENT = randomUUID();

interface Chats {
  size: number;
  space: TestSpace;
  agentId: string;
  key: string;
  sessionIds: string[];
}

/** Rows of a turn (session, question, answer, turn), spread evenly over a year. */
async function fillSessions({ database }: TestPlatform, { space, agentId }: Chats, from: number, rows: number) {
  await database.query(
    `with made as materialized (
       select gen_random_uuid() as id, gen_random_uuid() as turn_id, n,
              now() - make_interval(secs => ${DAYS * 86_400}::float8 * n / $6) as at from generate_series($4::int + 1, $4::int + $5::int) n),
     sessions as (
       insert into session.sessions (space_id, id, user_id, agent_id, title, last_seq, message_count, completed_turns, created_at, updated_at, last_message_at)
       select $1, id, $2, case when n % ${RARE} = 0 then '${RARE_AGENT}'::uuid else $3::uuid end,
              case when n % ${RARE} = 0 then 'Harvest ' else 'Chat ' end || n, 2, 2, 1, at, at, at from made),
     turns as (
       insert into session.turns (space_id, id, turn_id, user_id, agent_id, session_id, status, fingerprint, model, context_window, identity, input,
                                  finish_reason, started_at, finished_at)
       select $1, gen_random_uuid(), turn_id, $2, $3::uuid, id, 'COMPLETED', 'f', 'sim-chat', 8192, '{}', '{}', 'stop', at, at from made)
     insert into session.messages (space_id, session_id, seq, id, turn_id, role, content, tokens, counted, bytes, created_at)
     select $1, made.id, seq, gen_random_uuid(), turn_id, case when seq = 1 then 'user' else 'assistant' end,
            '[{"type":"text","text":"As many words as a short message has, which is about ten."}]', 20, true, 600, at
       from made, generate_series(1, 2) seq`,
    [space.id, space.owner.identity.userId, agentId, from, rows, SIZES.at(-1)],
  );
}

async function prepareChats(platform: TestPlatform, size: number): Promise<Chats> {
  const space = await platform.newSpace();
  await space.credit(1_000_000_000);
  const made = (await space.owner.post('/agents', AGENT)).body as { data: { id: string } };
  const key = (await space.key()).credential;
  const chats: Chats = { size, space, agentId: made.data.id, key, sessionIds: [] };
  for (let from = 0; from < size; from += PIECE)
    await fillSessions(platform, chats, from, Math.min(PIECE, size - from));
  const found = await platform.database.query<{ id: string }>(
    `select id from session.sessions where space_id = $1 and agent_id = $2 order by id limit 3000`,
    [space.id, chats.agentId],
  );
  return { ...chats, sessionIds: found.map(({ id }) => id) };
}

function questions({ space, agentId, sessionIds }: Chats, cursor: string, { bus }: Peer): MeasuredCall[] {
  const ctx = () => ownerCtx(space);
  const sessionId = (turn: number): string => sessionIds[turn % sessionIds.length] ?? '';
  const list = (filter: object) => (): Promise<unknown> => bus.call(SessionCalls.list, ctx(), filter);
  return [
    ['sessions, newest', list({})],
    ['sessions, the second page of 100', list({ limit: 100, cursor })],
    ['sessions of everybody', list({ allUsers: true })],
    ['sessions of an agent', list({ agentId })],
    ['sessions of an agent that is hardly used', list({ agentId: RARE_AGENT })],
    ['sessions of an agent without any', list({ agentId: randomUUID() })],
    ['sessions with a common word in their title', list({ q: 'chat' })],
    ['sessions with a rare word in their title', list({ q: 'harvest' })],
    ['sessions with a word that no title has', list({ q: 'nowhere' })],
    ['a session', (turn) => bus.call(SessionCalls.get, ctx(), { id: sessionId(turn) })],
    ['messages of a session', (turn) => bus.call(SessionCalls.listMessages, ctx(), { sessionId: sessionId(turn) })],
    [
      'newest messages of a session',
      (turn) => bus.call(SessionCalls.newestMessages, ctx(), { sessionId: sessionId(turn) }),
    ],
  ];
}

async function turnsBySize({ state, report }: BenchContext, all: readonly Chats[]): Promise<Measured[]> {
  const gateway = await startNoOpGateway(state);
  const caller = new HttpCaller(gateway.ready);
  const { relay, agent, session, postgres, nats, redis, simulator } = state.pids;
  const pids = { gateway: gateway.pid, relay, agent, session, postgres, nats, redis, simulator, caller: process.pid };
  const load = { ...TURNS, pids };
  const things = 'sessions';
  const inNew = all.map(({ size, key, agentId }): Sized => ({ size, run: () => caller.call(chatTurn(key, agentId)) }));
  const inOld = all.map(({ size, key, agentId, sessionIds }): Sized => {
    let turn = 0;
    return { size, run: () => caller.call(chatTurn(key, agentId, sessionIds[(turn += 1) % sessionIds.length])) };
  });
  try {
    return [
      ...compareSizes('turn in a new session', things, await costBySize(inNew, load), report),
      ...compareSizes('turn in an old session', things, await costBySize(inOld, load), report),
    ];
  } finally {
    await caller.stop();
    gateway.stop();
  }
}

/** Turns of users with ten and a hundred times the sessions, and what the one with the most asks. Run by name only. */
export const sessionsGrowth: BenchRow = {
  name: 'sessions-growth',
  shapes: ONE_SERVICE,
  onlyByName: true,
  run: (context: BenchContext): Promise<Measured[]> =>
    withPeer(context.state, async (platform, peer) => {
      const { report } = context;
      const all: Chats[] = [];
      for (const size of SIZES) {
        all.push(await prepareChats(platform, size));
        report(`a user with ${size} sessions`);
      }
      for (const table of ['sessions', 'turns', 'messages'])
        await platform.database.query(`vacuum (analyze) session.${table}`);
      await platform.database.query('checkpoint');
      const turns = await turnsBySize(context, all);
      const most = all.at(-1);
      if (!most) return turns;
      const first = await peer.bus.call(SessionCalls.list, ownerCtx(most.space), { limit: 100 });
      const request = questions(most, first.nextCursor ?? '', peer);
      return [...turns, ...(await answerTimes(request, { platform, service: 'session', report }))];
    }),
};
