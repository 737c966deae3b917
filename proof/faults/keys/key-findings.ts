import { type TestPlatform, until } from '@switchyard/testing';
import { booksOf } from './key-books';
import type { KeysFound } from './key-invariants';
import { FRUGAL_TOKENS, type LimitedKeys, type LimitedScene } from './limited-keys';

/** Where requests are counted, and where the counts are kept. */
const RECOUNTS = /gateway|redis/;

/** Responses to limited keys and their ledger, after all their work has ended. */
export async function collectKeys(
  platform: TestPlatform,
  { space, asks, frugal }: LimitedScene,
  { outcomes, letIn, received }: LimitedKeys,
  { faults, quietMs }: { faults: Readonly<Record<string, number>>; quietMs: number },
): Promise<KeysFound> {
  const { database } = platform;
  const isQuiet = async (): Promise<boolean> => {
    const [row] = await database.query<{ waiting: number }>(
      `select (select count(*)::int from session.turns where space_id = $1 and status = 'RUNNING')
            + (select count(*)::int from relay.accounts where space_id = $1 and reserved > 0) as waiting`,
      [space.id],
    );
    return row?.waiting === 0;
  };
  await until(isQuiet, { timeoutMs: quietMs, everyMs: 500 }).catch(() => undefined);
  const paid = await database.query<{ id: string; debits: number }>(
    asks === 'turn'
      ? `select turn_id as id, count(*)::int as debits from relay.ledger where space_id = $1 and key_id = $2 group by turn_id`
      : `select j.metadata->>'name' as id, count(*)::int as debits from job.jobs j join relay.ledger l
           on l.space_id = j.space_id and l.turn_id = j.turn_id and l.key_id = $2 where j.space_id = $1 group by 1`,
    [space.id, frugal.identity.keyId],
  );
  return {
    outcomes,
    frugal: await booksOf(platform, space.id, { name: 'frugal', keyId: frugal.identity.keyId, limit: FRUGAL_TOKENS }),
    debits: new Map(paid.map(({ id, debits }) => [id, debits])),
    letIn,
    received,
    recounts: Object.entries(faults).reduce((sum, [name, times]) => sum + (RECOUNTS.test(name) ? times : 0), 0),
  };
}
