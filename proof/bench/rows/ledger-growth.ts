import { RelayActivityCalls, RelayCalls, USAGE_GROUPS } from '@switchyard/contracts';
import { type Client, TestPlatform, type TestSpace, until } from '@switchyard/testing';
import type { Peer } from '../../../libs/messaging/test/conformance/peer';
import { type MeasuredCall, answerTimes } from '../answer-times';
import { type Sized, compareSizes, costBySize } from '../cost-by-size';
import { withPeer } from '../gateway-peer';
import { HttpCaller } from '../http-caller';
import { startNoOpGateway } from '../no-op-side';
import { ownerCtx } from '../owner-ctx';
import type { BenchContext, BenchRow, Measured } from '../row';
import { ONE_SERVICE } from '../shape';
import { body } from './relay-load';

const SIZES = [10_000, 100_000, 1_000_000] as const;
const PIECE = 100_000;
const DAYS = 30;
const CALLS = { times: 1_000, callers: 16 };
const DAY_MS = 86_400_000;

/** The calls of a month: of 20 agents, 10 users, 4 models and 5 keys, each turn with three of them. */
async function fillLedger(
  { database }: TestPlatform,
  { id, owner }: TestSpace,
  keyId: string | undefined,
  rows: number,
): Promise<void> {
  for (let from = 0; from < rows; from += PIECE)
    await database.query(
      `insert into relay.ledger (space_id, id, type, tokens, balance_after, source, agent_id, session_id, turn_id, user_id, key_id, model, upstream,
                                 prompt_tokens, completion_tokens, cost, estimated, outcome, created_at)
       select $1, gen_random_uuid(), 'SETTLEMENT', -150, 1000000, case when n % 3 = 0 then 'api' else 'agent' end, md5('agent ' || n % 20)::uuid,
              md5('session ' || n / 30)::uuid, md5('turn ' || n / 3)::uuid, case when n % 10 = 0 then $2::uuid else md5('user ' || n % 10)::uuid end,
              case when n % 5 = 0 then $3::text else 'key-' || n % 5 end, 'model-' || n % 4, 'simulator', 100, 50, 0.0003, false, 'COMPLETED',
              now() - make_interval(secs => ${DAYS * 86_400}::float8 * ($5 - n) / $5)
         from generate_series($4::int + 1, $4::int + $6::int) n`,
      [id, owner.identity.userId, keyId, from, rows, Math.min(PIECE, rows - from)],
    );
}

interface LedgerSpace {
  size: number;
  space: TestSpace;
  key: Client;
}

async function prepareSpaces(platform: TestPlatform, report: (line: string) => void): Promise<LedgerSpace[]> {
  const made: LedgerSpace[] = [];
  for (const size of SIZES) {
    const space = await platform.newSpace();
    await space.credit(1_000_000_000);
    const key = await space.key();
    await fillLedger(platform, space, key.identity.keyId, size);
    report(`a Space with ${size} entries in its ledger`);
    made.push({ size, space, key });
  }
  await untilSummedUp(platform, made);
  report('the ledgers are summed up');
  await platform.database.query('vacuum (analyze) relay.ledger');
  await platform.database.query('checkpoint');
  return made;
}

/** As far as the relay does it by itself: some entries of each always wait. */
async function untilSummedUp({ database }: TestPlatform, spaces: readonly LedgerSpace[]): Promise<void> {
  const waiting = async (): Promise<number> => {
    const [row] = await database.query<{ most: string | null }>(
      `select max((select count(*) from relay.ledger l where l.space_id = s.id and l.seq > coalesce(u.until, 0))) as most
         from unnest($1::uuid[]) as s (id) left join relay.usage_summed u on u.space_id = s.id`,
      [spaces.map(({ space }) => space.id)],
    );
    return Number(row?.most);
  };
  await until(async () => (await waiting()) < 500, { timeoutMs: 600_000, everyMs: 2_000 });
}

async function questions(
  { database }: TestPlatform,
  { space, key }: LedgerSpace,
  { bus }: Peer,
): Promise<MeasuredCall[]> {
  const ctx = () => ownerCtx(space);
  const day = {
    from: new Date(Date.now() - 16 * DAY_MS).toISOString(),
    to: new Date(Date.now() - 15 * DAY_MS).toISOString(),
  };
  const weeks = {
    from: new Date(Date.now() - 23.4567 * DAY_MS).toISOString(),
    to: new Date(Date.now() - 2.3456 * DAY_MS).toISOString(),
  };
  const first = await bus.call(RelayCalls.ledger, ctx(), { limit: 100 });
  const turns = await database.query<{ id: string }>(
    `select distinct turn_id as id from relay.ledger where space_id = $1 and turn_id is not null limit 1000`,
    [space.id],
  );
  const turnIds = turns.map(({ id }) => id);
  const keyId = key.identity.keyId ?? '';
  const cursor = first.nextCursor ?? '';
  return [
    ['ledger, newest', () => bus.call(RelayCalls.ledger, ctx(), {})],
    ['ledger, page of 100, the second', () => bus.call(RelayCalls.ledger, ctx(), { limit: 100, cursor })],
    ['balance', () => bus.call(RelayCalls.balance, ctx(), {})],
    ['usage of a key', () => bus.call(RelayCalls.keyUsage, ctx(), { keyId, limits: { dailyTokens: 1_000_000_000 } })],
    ['costs of 50 turns', () => bus.call(RelayActivityCalls.costsOfTurns, ctx(), { turnIds: turnIds.slice(0, 50) })],
    ['costs of 1,000 turns', () => bus.call(RelayActivityCalls.costsOfTurns, ctx(), { turnIds })],
    ...USAGE_GROUPS.flatMap((groupBy): MeasuredCall[] => [
      [`usage of a day by ${groupBy}`, () => bus.call(RelayCalls.usage, ctx(), { groupBy, ...day })],
      [
        `usage of three weeks and some minutes by ${groupBy}`,
        () => bus.call(RelayCalls.usage, ctx(), { groupBy, ...weeks }),
      ],
      [`usage of all by ${groupBy}`, () => bus.call(RelayCalls.usage, ctx(), { groupBy })],
    ]),
  ];
}

async function callsBySize({ state, report }: BenchContext, spaces: readonly LedgerSpace[]): Promise<Measured[]> {
  const gateway = await startNoOpGateway(state);
  const caller = new HttpCaller(gateway.ready);
  const { relay, postgres, nats, redis, simulator } = state.pids;
  const pids = { gateway: gateway.pid, relay, postgres, nats, redis, simulator, caller: process.pid };
  const request = JSON.parse(body('@@reply Hello there, how are you?', false)) as object;
  const call = (key: string) => () =>
    caller.call({ method: 'POST', path: '/models/v1/chat/completions', key, body: request });
  const sized: Sized[] = spaces.map(({ size, key }) => ({ size, run: call(key.credential) }));
  try {
    return compareSizes('model call', 'entries in the ledger', await costBySize(sized, { ...CALLS, pids }), report);
  } finally {
    await caller.stop();
    gateway.stop();
  }
}

/** A model call of Spaces whose ledgers are ten and a hundred times as long, and what the longest is asked. Run by name only. */
export const ledgerGrowth: BenchRow = {
  name: 'ledger-growth',
  shapes: ONE_SERVICE,
  onlyByName: true,
  run: (context: BenchContext): Promise<Measured[]> =>
    withPeer(context.state, async (platform, peer) => {
      const { report } = context;
      const spaces = await prepareSpaces(platform, report);
      const calls = await callsBySize(context, spaces);
      const largest = spaces.at(-1);
      if (!largest) return calls;
      const request = await questions(platform, largest, peer);
      return [...calls, ...(await answerTimes(request, { platform, service: 'relay', report }))];
    }),
};
