import { Injectable } from '@nestjs/common';
import type { ToolCallStatus } from '@switchyard/contracts';
import { type Tx, clockRuns } from '@switchyard/database';
import { newId } from '@switchyard/kernel';

export interface ToolResultRow {
  callId: string;
  name: string;
  status: ToolCallStatus;
  result: unknown;
  error: string | null;
  expiresAt: string;
}

const COLUMNS = `call_id, name, status, result, error, expires_at`;

@Injectable()
export class ToolResultsRepository {
  async await(
    tx: Tx,
    spaceId: string,
    turnKey: string,
    call: { callId: string; name: string; expiresAt: string },
  ): Promise<void> {
    await tx.query(
      `insert into tool_results (space_id, id, turn_key, call_id, name, status, expires_at)
       values ($1, $2, $3, $4, $5, 'PENDING', $6) on conflict do nothing`,
      [spaceId, newId(), turnKey, call.callId, call.name, call.expiresAt],
    );
  }

  find(tx: Tx, spaceId: string, turnKey: string, callId: string): Promise<ToolResultRow | null> {
    return tx.one<ToolResultRow>(
      `select ${COLUMNS} from tool_results where space_id = $1 and turn_key = $2 and call_id = $3`,
      [spaceId, turnKey, callId],
    );
  }

  /** As large as the results of the turn may be together. */
  list(tx: Tx, spaceId: string, turnKey: string): Promise<ToolResultRow[]> {
    return tx.query<ToolResultRow>(
      `select ${COLUMNS} from tool_results where space_id = $1 and turn_key = $2 order by id`,
      [spaceId, turnKey],
    );
  }

  async openCalls(tx: Tx, spaceId: string, turnKey: string): Promise<string[]> {
    const rows = await tx.query<{ callId: string }>(
      `select call_id from tool_results where space_id = $1 and turn_key = $2 and status = 'PENDING' order by id`,
      [spaceId, turnKey],
    );
    return rows.map(({ callId }) => callId);
  }

  async statusOf(tx: Tx, spaceId: string, turnKey: string, callId: string): Promise<ToolCallStatus | null> {
    const row = await tx.one<{ status: ToolCallStatus }>(
      'select status from tool_results where space_id = $1 and turn_key = $2 and call_id = $3',
      [spaceId, turnKey, callId],
    );
    return row?.status ?? null;
  }

  /**
   * The first answer counts; null when there is one already, the wait is over, or the turn's answers would be more than
   * `most` bytes. The turn's rows are locked, so that answers at one moment are counted together.
   */
  answer(
    tx: Tx,
    spaceId: string,
    turnKey: string,
    callId: string,
    { result, error, most }: { result: unknown; error: string | null; most: number },
  ): Promise<ToolResultRow | null> {
    const json = result === undefined ? null : JSON.stringify(result);
    const bytes = Buffer.byteLength(json ?? '') + Buffer.byteLength(error ?? '');
    return tx.one<ToolResultRow>(
      `with held as (select sum(bytes) as bytes from (
         select bytes from tool_results where space_id = $1 and turn_key = $2 order by id for update) answers)
       update tool_results set status = 'ANSWERED', result = $4, error = $5, bytes = $6 from held
       where space_id = $1 and turn_key = $2 and call_id = $3 and status = 'PENDING' and coalesce(held.bytes, 0) + $6 <= $7
       returning call_id, name, status, null as result, error, expires_at`,
      [spaceId, turnKey, callId, json, error, bytes, most],
    );
  }

  /** If its time is over, which an agent may find too early: the time moves on when a suspended Space is resumed. */
  async expire(tx: Tx, spaceId: string, turnKey: string, callId: string): Promise<void> {
    await tx.query(
      `update tool_results set status = 'EXPIRED' where space_id = $1 and turn_key = $2 and call_id = $3 and status = 'PENDING'
         and expires_at < (select clock_timestamp()) + interval '1 second' and ${clockRuns()}`,
      [spaceId, turnKey, callId],
    );
  }
}
