import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';

export interface SignInRow {
  id: string;
  spaceId: string;
  userId: string;
  endsAt: string;
  revokedAt: string | null;
  /** When the password was given, or the company's own time; null if it is unknown. */
  signedInAt: string | null;
}

export interface RefreshTokenRow {
  id: string;
  spaceId: string;
  signInId: string;
  endsAt: string;
  spentAt: string | null;
}

export type SignInEnd =
  | 'logout'
  | 'reuse'
  | 'member-removed'
  | 'password-changed'
  | 'password-reset'
  | 'disabled'
  | 'crowded-out';

const COLUMNS = 'id, space_id, user_id, ends_at, revoked_at, signed_in_at';

@Injectable()
export class SignInsRepository {
  async insert(tx: Tx, signIn: Omit<SignInRow, 'revokedAt'>): Promise<void> {
    await tx.query(`insert into sign_ins (space_id, id, user_id, ends_at, signed_in_at) values ($1, $2, $3, $4, $5)`, [
      signIn.spaceId,
      signIn.id,
      signIn.userId,
      signIn.endsAt,
      signIn.signedInAt,
    ]);
  }

  /** By its id alone, in whichever Space it is. */
  async timeOf(tx: Tx, id: string): Promise<string | null> {
    const found = await tx.one<{ signedInAt: string | null }>(`select signed_in_at from sign_ins where id = $1`, [id]);
    return found?.signedInAt ?? null;
  }

  find(tx: Tx, spaceId: string, id: string): Promise<SignInRow | null> {
    return tx.one<SignInRow>(`select ${COLUMNS} from sign_ins where space_id = $1 and id = $2`, [spaceId, id]);
  }

  /** Locked, so that of refreshes at the same moment the first decides what the others meet. */
  findLocked(tx: Tx, spaceId: string, id: string): Promise<SignInRow | null> {
    return tx.one<SignInRow>(`select ${COLUMNS} from sign_ins where space_id = $1 and id = $2 for update`, [
      spaceId,
      id,
    ]);
  }

  revoke(tx: Tx, spaceId: string, id: string, because: SignInEnd): Promise<number> {
    return tx.count(
      `update sign_ins set revoked_at = now(), revoked_because = $3
       where space_id = $1 and id = $2 and revoked_at is null`,
      [spaceId, id, because],
    );
  }

  /** The ids of those that ended by it. */
  async revokeOfMember(tx: Tx, spaceId: string, userId: string): Promise<string[]> {
    return (
      await tx.query<{ id: string }>(
        `update sign_ins set revoked_at = now(), revoked_because = 'member-removed'
       where space_id = $1 and user_id = $2 and revoked_at is null and ends_at > now() returning id`,
        [spaceId, userId],
      )
    ).map((row) => row.id);
  }

  /** In every Space, but for the one sign-in that goes on. */
  async revokeOfUser(
    tx: Tx,
    userId: string,
    exceptId: string | null,
    because: SignInEnd = 'password-changed',
  ): Promise<string[]> {
    return (
      await tx.query<{ id: string }>(
        `update sign_ins set revoked_at = now(), revoked_because = $3
       where user_id = $1 and id is distinct from $2::uuid and revoked_at is null and ends_at > now() returning id`,
        [userId, exceptId, because],
      )
    ).map((row) => row.id);
  }

  /** Leaves so many open; the ids of those that ended by it. */
  async endOldest(tx: Tx, spaceId: string, userId: string, keep: number): Promise<string[]> {
    return (
      await tx.query<{ id: string }>(
        `update sign_ins set revoked_at = now(), revoked_because = 'crowded-out'
         where space_id = $1 and id in (
           select id from sign_ins
           where space_id = $1 and user_id = $2 and revoked_at is null and ends_at > now()
           order by created_at desc, id desc offset $3)
         returning id`,
        [spaceId, userId, keep],
      )
    ).map((row) => row.id);
  }

  async insertToken(
    tx: Tx,
    token: { spaceId: string; signInId: string; digest: Buffer; endsAt: string },
  ): Promise<void> {
    await tx.query(
      `insert into refresh_tokens (space_id, id, sign_in_id, digest, ends_at) values ($1, $2, $3, $4, $5)`,
      [token.spaceId, newId(), token.signInId, token.digest, token.endsAt],
    );
  }

  findToken(tx: Tx, digests: readonly Buffer[]): Promise<RefreshTokenRow | null> {
    return tx.one<RefreshTokenRow>(
      `select id, space_id, sign_in_id, ends_at, spent_at from refresh_tokens where digest = any($1::bytea[]) limit 1`,
      [digests],
    );
  }

  /** False if another request has spent it. */
  async spendToken(tx: Tx, spaceId: string, id: string): Promise<boolean> {
    return (
      (await tx.count(
        `update refresh_tokens set spent_at = clock_timestamp() where space_id = $1 and id = $2 and spent_at is null`,
        [spaceId, id],
      )) === 1
    );
  }

  /** The encrypted successor of a token; null if unknown or too old. */
  async findSuccessor(tx: Tx, spaceId: string, id: string, withinMs: number): Promise<Buffer | null> {
    return (
      (
        await tx.one<{ successor: Buffer | null }>(
          `select successor from refresh_tokens
         where space_id = $1 and id = $2 and spent_at > (select clock_timestamp()) - make_interval(secs => $3::float8 / 1000)`,
          [spaceId, id, withinMs],
        )
      )?.successor ?? null
    );
  }

  async keepSuccessor(tx: Tx, spaceId: string, id: string, successor: Buffer): Promise<void> {
    await tx.query(`update refresh_tokens set successor = $3 where space_id = $1 and id = $2`, [
      spaceId,
      id,
      successor,
    ]);
  }

  /** Spent tokens are kept as long as their sign-in could live, so that their reuse is noticed. */
  forget(tx: Tx, days: number, limit: number): Promise<number> {
    return tx.count(
      `delete from sign_ins where (space_id, id) in
         (select space_id, id from sign_ins
           where least(ends_at, revoked_at) < now() - make_interval(days => $1) limit $2 for update skip locked)`,
      [days, limit],
    );
  }
}
