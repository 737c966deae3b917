import { Injectable } from '@nestjs/common';
import type { Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';

export interface KeyDigest {
  digest: Buffer;
  pepperVersion: number;
}

@Injectable()
export class KeyValuesRepository {
  async insert(tx: Tx, spaceId: string, keyId: string, value: KeyDigest): Promise<void> {
    await tx.query(
      `insert into api_key_values (space_id, id, key_id, digest, pepper_version) values ($1, $2, $3, $4, $5)`,
      [spaceId, newId(), keyId, value.digest, value.pepperVersion],
    );
  }

  /** Whether a key has, or had, the value. */
  async exists(tx: Tx, digests: readonly Buffer[]): Promise<boolean> {
    return (await tx.one('select 1 as found from api_key_values where digest = any($1) limit 1', [digests])) !== null;
  }

  /** Every value of the key ends at the given time, or earlier if it was to end earlier. */
  async endAll(tx: Tx, spaceId: string, keyId: string, endsAt: string): Promise<void> {
    await tx.query(
      `update api_key_values set ends_at = least(coalesce(ends_at, 'infinity'), $3::timestamptz)
       where space_id = $1 and key_id = $2`,
      [spaceId, keyId, endsAt],
    );
  }

  forget(tx: Tx, days: number, limit: number): Promise<number> {
    return tx.count(
      `delete from api_key_values where (space_id, id) in
         (select space_id, id from api_key_values
           where ends_at < now() - make_interval(days => $1) limit $2 for update skip locked)`,
      [days, limit],
    );
  }
}
