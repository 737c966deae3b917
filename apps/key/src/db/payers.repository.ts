import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';
import { PAYERS_IN_A_ROW, type PayerFacts, otherPayerOf } from '../domain/space-payer';

const NAMES_ANOTHER = `s.payer_kind = 'space' and s.payer_id <> s.space_id`;

/** Which Space pays for which: over all of them, so by the system's role alone. */
@Injectable()
export class PayersRepository {
  /** Changes of payers follow each other, so that no two of them make a ring together. */
  async lock(tx: Tx): Promise<void> {
    await tx.run(`select pg_advisory_xact_lock(hashtextextended('payers of Spaces', 24))`);
  }

  /** The Spaces in the rows that begin with the payers of these. No query if none of them names another. */
  async behind(tx: Tx, spaces: readonly PayerFacts[]): Promise<Map<string, PayerFacts>> {
    const named = spaces.map(otherPayerOf).filter((id) => id !== null);
    if (named.length === 0) return new Map();
    const found = await tx.query<PayerFacts>(
      `with recursive chain (id) as (
         select unnest($1::uuid[])
         union select s.payer_id from chain c join spaces s on s.space_id = c.id where ${NAMES_ANOTHER})
       select s.id, s.payer_kind, s.payer_id, s.made_by, s.made_by_kind from spaces s
       where s.space_id in (select id from chain)`,
      [[...new Set(named)]],
    );
    return new Map(found.map((space) => [space.id, space]));
  }

  /** The Spaces for which this one pays, also through others, with how many stand between. */
  paidFor(tx: Tx, spaceId: string): Promise<{ id: string; steps: number }[]> {
    return tx.query(
      `with recursive paid (id, steps) as (
         select s.id, 1 from spaces s where ${NAMES_ANOTHER} and s.payer_id = $1
         union select s.id, p.steps + 1 from paid p join spaces s on s.payer_id = p.id and ${NAMES_ANOTHER}
           where p.steps < $2)
       select id, max(steps)::int as steps from paid group by id`,
      [spaceId, PAYERS_IN_A_ROW],
    );
  }
}
