import { type Ctx, makeCtx } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { type TestSpace, usePlatform } from '@switchyard/testing';
import { END_TURN, type Ending, endingParams, TurnsRepository } from '../src/db/turns.repository';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const turns = new TurnsRepository();
const RUNNING = 400;
const ENDING: Ending = { status: 'COMPLETED', finishReason: 'stop', usage: null, error: null, result: null };

let space: TestSpace;
let database: Database;
let ctx: Ctx;

beforeAll(async () => {
  space = await platform.newSpace();
  ctx = makeCtx({
    spaceId: space.id,
    userId: space.owner.identity.userId ?? '',
    role: 'OWNER',
    scopes: ['*'],
    credentialId: null,
    credentialType: 'jwt',
    applicationId: null,
  });
  const url = platform.state.databaseLogins['session'] ?? '';
  database = new Database({ service: 'session', url, poolSize: 1, log });
  await database.connect();
});

afterAll(() => database.close());

/** Rolls the transaction back: committed, the turns would be taken over by the agents of the platform. */
class RolledBack extends Error {}

/** The turns that are read to save the state of one of many that run in many Spaces, and to end it. */
async function turnsRead(): Promise<number> {
  let read = NaN;
  await database
    .system('look what is read', async (tx) => {
      const leased = { key: newId(), epoch: 1 };
      await tx.run(
        `insert into turns (space_id, id, turn_id, user_id, agent_id, status, fingerprint, model, context_window, identity, input, owner, lease_until)
         select case when n = 1 then $1 else gen_random_uuid() end, case when n = 1 then $3 else gen_random_uuid() end,
           gen_random_uuid(), $2, $1, 'RUNNING', 'f', 'sim-chat', 8192, '{}', '{}', 'nobody', now() + interval '1 hour'
         from generate_series(1, $4::int) n`,
        [space.id, ctx.userId, leased.key, RUNNING],
      );
      const seen = async (): Promise<number> => {
        const row = await tx.one<{ n: number }>(
          `select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as n from pg_stat_xact_user_tables
           where schemaname = 'session' and relname = 'turns'`,
        );
        return row?.n ?? NaN;
      };
      const before = await seen();
      expect(await turns.saveState(tx, space.id, leased, {}, 30)).not.toBeNull();
      expect(await tx.count(END_TURN, endingParams(space.id, leased, ENDING))).toBe(1);
      read = (await seen()) - before;
      throw new RolledBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  return read;
}

describe('a turn among many that run', () => {
  it('is saved and ended without reading the others', async () => {
    expect(await turnsRead()).toBeLessThanOrEqual(4);
  });
});
