import { Injectable } from '@nestjs/common';
import type { Read, Tx } from '@switchyard/database';
import type { EventOrigin } from './security-events.repository';

/** A credit that is recorded here before the relay books it. Its id becomes the id of the ledger's row. */
export interface CreditIntent {
  spaceId: string;
  id: string;
  tokens: number;
  note: string | null;
  origin: EventOrigin;
}

const COLUMNS = 'space_id, id, tokens, note, origin';
const IS_DUE = 'settled_at is null and next_try_at < (select clock_timestamp())';

@Injectable()
export class CreditIntentsRepository {
  async add(tx: Tx, { spaceId, id, tokens, note, origin }: CreditIntent): Promise<void> {
    await tx.run(`insert into credit_intents (${COLUMNS}) values ($1, $2, $3, $4, $5)`, [
      spaceId,
      id,
      tokens,
      note,
      JSON.stringify(origin),
    ]);
  }

  async settle(tx: Tx, { spaceId, id }: CreditIntent): Promise<void> {
    const sql = 'update credit_intents set settled_at = clock_timestamp() where space_id = $1 and id = $2';
    await tx.run(`${sql} and settled_at is null`, [spaceId, id]);
  }

  readonly anyDue: Read = {
    name: 'any-credit-due',
    params: [],
    sql: `select 1 from credit_intents where ${IS_DUE} limit 1`,
  };

  /** Takes one that is due. If it stays open, it is due again after 4 s, then 8 s, at most 64 s. */
  takeDue(tx: Tx): Promise<CreditIntent | null> {
    return tx.one<CreditIntent>(
      `update credit_intents set attempt = attempt + 1,
              next_try_at = clock_timestamp() + interval '4 seconds' * 2 ^ least(attempt, 4)
        where (space_id, id) in (select space_id, id from credit_intents
               where ${IS_DUE} order by next_try_at limit 1 for update skip locked)
       returning ${COLUMNS}`,
    );
  }

  removeSettled(tx: Tx, days: number, limit: number): Promise<number> {
    return tx.count(
      `delete from credit_intents where (space_id, id) in
         (select space_id, id from credit_intents where settled_at < now() - make_interval(days => $1)
           limit $2 for update skip locked)`,
      [days, limit],
    );
  }
}
