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
/** Longer than any request may take: if an intent is older and open, its request has ended without an answer. */
export const REQUEST_SECONDS = 20;
/** If a credit without an idempotency key is repeated later than this after its booking, it is another credit. */
const REPEAT_MINUTES = 10;
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

  /** Returns whether it was open until now. */
  async settle(tx: Tx, { spaceId, id }: CreditIntent): Promise<boolean> {
    const sql = 'update credit_intents set settled_at = clock_timestamp() where space_id = $1 and id = $2';
    return (await tx.count(`${sql} and settled_at is null`, [spaceId, id])) === 1;
  }

  /** Its request was over before it was booked: the same credit is not another one. */
  async markLate(tx: Tx, { spaceId, id }: CreditIntent): Promise<void> {
    const sql = 'update credit_intents set attempt = greatest(attempt, 1) where space_id = $1 and id = $2';
    await tx.run(`${sql} and answered_at is null`, [spaceId, id]);
  }

  /** The operator has the outcome: the same credit is another one from now on. */
  async markAnswered(tx: Tx, { spaceId, id }: CreditIntent): Promise<void> {
    const sql = 'update credit_intents set answered_at = clock_timestamp() where space_id = $1 and id = $2';
    await tx.run(`${sql} and answered_at is null`, [spaceId, id]);
  }

  /** Its request failed: it is due in 4 s. */
  async postpone(tx: Tx, { spaceId, id }: CreditIntent): Promise<void> {
    const sql = `update credit_intents set attempt = greatest(attempt, 1),
        next_try_at = least(next_try_at, clock_timestamp() + interval '4 seconds')`;
    await tx.run(`${sql} where space_id = $1 and id = $2 and settled_at is null`, [spaceId, id]);
  }

  /**
   * The same credit by the same actor, if its request failed and no later one was answered. Requests that still run here
   * (`running`) are not found: two equal credits at the same time are two. `mayRun`: another process may still run its
   * request, or that process has died a moment ago.
   */
  findUnanswered(
    tx: Tx,
    { spaceId, tokens, note, origin }: Omit<CreditIntent, 'id'>,
    running: readonly string[],
  ): Promise<(CreditIntent & { mayRun: boolean }) | null> {
    return tx.one<CreditIntent & { mayRun: boolean }>(
      `select ${COLUMNS}, attempt = 0 and created_at >= (select clock_timestamp()) - make_interval(secs => $6) as "mayRun"
         from credit_intents
        where space_id = $1 and tokens = $2 and note is not distinct from $3 and origin->'actor' = $4::jsonb
          and answered_at is null and not id = any($7::uuid[])
          and (settled_at is null or (attempt > 0 and settled_at > (select clock_timestamp()) - make_interval(mins => $5)))
        order by 6, id limit 1`,
      [spaceId, tokens, note, JSON.stringify(origin.actor), REPEAT_MINUTES, REQUEST_SECONDS, running],
    );
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
        where (space_id, id) = (select space_id, id from credit_intents
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
