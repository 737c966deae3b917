import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';
import { FRAMES_RETENTION_HOURS } from '@switchyard/messaging';

/** Frames of a turn written since the last count. */
export interface FramesWritten {
  spaceId: string;
  key: string;
  bytes: number;
  /** Undefined: another process goes on with the turn, and says. */
  isRunning: boolean | undefined;
}

export interface TurnWithFrames {
  key: string;
  bytes: number;
}

/** How many bytes of frames the stream keeps for each turn. */
@Injectable()
export class StoredFramesRepository {
  async add(tx: Tx, written: readonly FramesWritten[]): Promise<void> {
    // In one order everywhere, so that two processes never wait for each other's rows.
    const rows = [...written].sort((a, b) => (a.key < b.key ? -1 : 1));
    await tx.run(
      `insert into kept_frames as known (space_id, id, bytes, is_running)
       select space_id, id, bytes, coalesce(is_running, true)
         from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::boolean[]) as row (space_id, id, bytes, is_running)
       on conflict (space_id, id) do update set bytes = known.bytes + excluded.bytes, written_at = now(),
         is_running = case when known.id = any($5::uuid[]) then known.is_running else excluded.is_running end`,
      [
        rows.map(({ spaceId }) => spaceId),
        rows.map(({ key }) => key),
        rows.map(({ bytes }) => bytes),
        rows.map(({ isRunning }) => isRunning ?? null),
        rows.filter(({ isRunning }) => isRunning === undefined).map(({ key }) => key),
      ],
    );
  }

  async total(tx: Tx, spaceId: string): Promise<number> {
    const row = await tx.one<{ bytes: string }>(
      'select coalesce(sum(bytes), 0)::text as bytes from kept_frames where space_id = $1',
      [spaceId],
    );
    return Number(row?.bytes ?? 0);
  }

  /** Turns that do not run, those first that were written longest ago. */
  async listOldest(tx: Tx, spaceId: string, limit: number): Promise<TurnWithFrames[]> {
    const rows = await tx.query<{ key: string; bytes: string }>(
      `select id as key, bytes::text as bytes from kept_frames where space_id = $1 and not is_running
        order by written_at limit $2`,
      [spaceId, limit],
    );
    return rows.map(({ key, bytes }) => ({ key, bytes: Number(bytes) }));
  }

  /** The frames of these turns are gone. One that has begun to run again is counted on. */
  async remove(tx: Tx, spaceId: string, keys: readonly string[]): Promise<void> {
    await tx.run('delete from kept_frames where space_id = $1 and id = any($2) and not is_running', [spaceId, keys]);
  }

  /** Answers by how many bytes the turn has become smaller. */
  async shrink(tx: Tx, spaceId: string, key: string, bytes: number): Promise<number> {
    const row = await tx.one<{ freed: string }>(
      `with known as (select bytes from kept_frames where space_id = $1 and id = $2 for update)
       update kept_frames as kept set bytes = least($3, known.bytes) from known
        where kept.space_id = $1 and kept.id = $2 returning (known.bytes - kept.bytes)::text as freed`,
      [spaceId, key, bytes],
    );
    return Number(row?.freed ?? 0);
  }

  /** Frames that the stream has expired. */
  async removeExpired(tx: Tx, limit: number): Promise<number> {
    const rows = await tx.query(
      `delete from kept_frames where (space_id, id) in (
         select space_id, id from kept_frames where written_at < now() - make_interval(hours => $1)
          order by written_at limit $2 for update skip locked)
       returning id`,
      [FRAMES_RETENTION_HOURS, limit],
    );
    return rows.length;
  }
}
