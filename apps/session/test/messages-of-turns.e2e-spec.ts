import { type Ctx, makeCtx } from '@switchyard/contracts';
import { Database, type Tx } from '@switchyard/database';
import { type TestSpace, usePlatform } from '@switchyard/testing';
import { MessagesRepository } from '../src/db/messages.repository';

/** A turn in a long session: nothing but its own rows is read. */
const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const messages = new MessagesRepository();
const TURNS = 500;
const PER_TURN = 3;
/** Those of the turn itself, and some for what stands around it. */
const FEW = 12;

let space: TestSpace;
let database: Database;
let ctx: Ctx;
let userId: string;
let sessionId: string;
let turnId: string;

beforeAll(async () => {
  space = await platform.newSpace();
  userId = space.owner.identity.userId ?? '';
  ctx = makeCtx({
    spaceId: space.id,
    userId,
    role: 'OWNER',
    scopes: ['*'],
    credentialId: null,
    credentialType: 'jwt',
    applicationId: null,
  });
  sessionId = (await space.owner.post('/agents/sessions', {})).body.data.id;
  await platform.database.query(
    `with turns as materialized (select gen_random_uuid() as turn_id, n from generate_series(1, $3::int) n)
     insert into session.messages (space_id, session_id, seq, id, turn_id, role, content, tokens, counted, bytes)
     select $1, $2, (n - 1) * $4::int + k, gen_random_uuid(), turn_id, 'user', '[]', 0, true, 500
     from turns cross join generate_series(1, $4::int) k`,
    [space.id, sessionId, TURNS, PER_TURN],
  );
  // As autovacuum does in time.
  await platform.database.query('analyze session.messages');
  const [found] = await platform.database.query<{ turn_id: string }>(
    'select turn_id from session.messages where space_id = $1 and session_id = $2 and seq = $3',
    [space.id, sessionId, (PER_TURN * TURNS) / 2],
  );
  turnId = found?.turn_id ?? '';
  const url = platform.state.databaseLogins['session'] ?? '';
  database = new Database({ service: 'session', url, poolSize: 1, log });
  await database.connect();
});

afterAll(() => database.close());

/** How many messages are looked at, those that are then left out among them. */
const looksAt = (work: (tx: Tx) => Promise<unknown>): Promise<{ rows: number; found: unknown }> =>
  database.transaction(ctx, async (tx) => {
    const seen = async (): Promise<number> => {
      const row = await tx.one<{ n: number }>(
        `select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as n from pg_stat_xact_user_tables
         where schemaname = 'session' and relname = 'messages'`,
      );
      return row?.n ?? 0;
    };
    const before = await seen();
    const found = await work(tx);
    return { rows: (await seen()) - before, found };
  });

describe('what belongs to one turn of many', () => {
  it.each([
    ['a page of its messages', (tx: Tx) => messages.page(tx, space.id, { sessionId, turnId }, 0, 50), PER_TURN],
    ['its newest message', async (tx: Tx) => [await messages.lastOfTurn(tx, space.id, sessionId, turnId)], 1],
  ])('is found without the rest: %s', async (_what, work, count) => {
    const { rows, found } = await looksAt(work);
    expect(found).toHaveLength(count);
    expect((found as unknown[])[0]).not.toBeNull();
    expect(rows).toBeLessThanOrEqual(FEW);
  });
});
