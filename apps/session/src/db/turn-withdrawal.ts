import type { Tx } from '@switchyard/database';
import type { Held } from './turns.repository';

const WITHDRAW = `
  with t as (
    delete from turns where space_id = $1 and id = $2 and epoch = $3 and status = 'RUNNING' returning session_id, turn_id),
  m as (
    delete from messages m using t
    where m.space_id = $1 and m.session_id = t.session_id and m.turn_id = t.turn_id returning m.role),
  s as (
    update sessions s set last_seq = last_seq - (select count(*) from m), message_count = message_count - (select count(*) from m)
    from t where not $4 and s.space_id = $1 and s.id = t.session_id),
  d as (
    delete from sessions s using t where $4 and s.space_id = $1 and s.id = t.session_id)
  select turn_id from t`;

/** A turn that has done nothing yet, as if it had never been opened. False when it is not this holder's any more. */
export async function withdrawTurn(tx: Tx, spaceId: string, held: Held, sessionCreated: boolean): Promise<boolean> {
  return (await tx.one(WITHDRAW, [spaceId, held.key, held.epoch, sessionCreated])) !== null;
}
