import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';

/** Tokens by which somebody who has lost a password chooses a new one: at most one of each account. */
@Injectable()
export class PasswordResetsRepository {
  /** Takes the place of the one before. */
  async issue(tx: Tx, reset: { userId: string; digest: Buffer; expiresAt: string }): Promise<void> {
    await tx.run(
      `insert into password_resets (user_id, digest, expires_at) values ($1, $2, $3)
       on conflict (user_id) do update set digest = excluded.digest, expires_at = excluded.expires_at, created_at = now()`,
      [reset.userId, reset.digest, reset.expiresAt],
    );
  }

  /** Whose password the token resets; null where it is unknown, used or over. */
  async findUser(tx: Tx, digests: readonly Buffer[]): Promise<string | null> {
    const found = await tx.one<{ userId: string }>(
      'select user_id from password_resets where digest = any($1::bytea[]) and expires_at > (select clock_timestamp()) limit 1',
      [digests],
    );
    return found?.userId ?? null;
  }

  /** False if another request has used it, or it has expired. */
  async take(tx: Tx, userId: string, digests: readonly Buffer[]): Promise<boolean> {
    return (
      (await tx.count(
        `delete from password_resets
         where user_id = $1 and digest = any($2::bytea[]) and expires_at > (select clock_timestamp())`,
        [userId, digests],
      )) === 1
    );
  }

  async end(tx: Tx, userId: string): Promise<void> {
    await tx.run('delete from password_resets where user_id = $1', [userId]);
  }

  forget(tx: Tx, limit: number): Promise<number> {
    return tx.count(
      `delete from password_resets where user_id in
         (select user_id from password_resets where expires_at < now() limit $1 for update skip locked)`,
      [limit],
    );
  }
}
