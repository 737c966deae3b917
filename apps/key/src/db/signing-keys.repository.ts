import { Injectable } from '@nestjs/common';
import type { PublicJwk } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import type { SigningAlgorithm, SigningKeyStage } from '../domain/signing-key-plan';

export interface SigningKeyRow {
  kid: string;
  algorithm: SigningAlgorithm;
  stage: SigningKeyStage;
  publicJwk: PublicJwk;
  sealedPrivateJwk: Buffer;
  createdAt: string;
  currentSince: string | null;
  retireAt: string | null;
}

const COLUMNS = 'kid, algorithm, stage, public_jwk, sealed_private_jwk, created_at, current_since, retire_at';

@Injectable()
export class SigningKeysRepository {
  list(tx: Tx): Promise<SigningKeyRow[]> {
    return tx.query<SigningKeyRow>(`select ${COLUMNS} from signing_keys order by created_at, kid`, []);
  }

  /** One replica plans at a time. */
  async lock(tx: Tx): Promise<void> {
    await tx.query(`select pg_advisory_xact_lock(hashtext('signing_keys'))`, []);
  }

  async insert(
    tx: Tx,
    key: {
      kid: string;
      algorithm: SigningAlgorithm;
      stage: SigningKeyStage;
      publicJwk: PublicJwk;
      sealedPrivateJwk: Buffer;
    },
  ): Promise<void> {
    await tx.query(
      `insert into signing_keys (kid, algorithm, stage, public_jwk, sealed_private_jwk, current_since)
       values ($1, $2, $3, $4, $5, case when $3 = 'CURRENT' then now() end)`,
      [key.kid, key.algorithm, key.stage, JSON.stringify(key.publicJwk), key.sealedPrivateJwk],
    );
  }

  async promote(tx: Tx, kid: string): Promise<void> {
    await tx.query(`update signing_keys set stage = 'CURRENT', current_since = now() where kid = $1`, [kid]);
  }

  async retire(tx: Tx, kid: string, retireAt: string): Promise<void> {
    await tx.query(`update signing_keys set stage = 'RETIRING', retire_at = $2 where kid = $1`, [kid, retireAt]);
  }

  async drop(tx: Tx, kids: readonly string[]): Promise<void> {
    await tx.query(`delete from signing_keys where kid = any($1::text[])`, [kids]);
  }
}
