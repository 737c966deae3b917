import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Ctx, PasswordResetView } from '@switchyard/contracts';
import type { Tx } from '@switchyard/database';
import { SecurityLog } from '../audit/security-log';
import { PasswordResetsRepository } from '../db/password-resets.repository';
import { KeyHasher } from '../secrets/key-hasher';

const LIFE_MS = 3_600_000;

/** Makes the token of a reset. The caller has checked that the account may have one. */
@Injectable()
export class ResetTokenIssuer {
  constructor(
    private readonly resets: PasswordResetsRepository,
    private readonly hasher: KeyHasher,
    private readonly log: SecurityLog,
  ) {}

  async issue(tx: Tx, ctx: Ctx, userId: string, now: Date): Promise<PasswordResetView> {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(now.getTime() + LIFE_MS).toISOString();
    await this.resets.issue(tx, { userId, digest: this.hasher.digest(token).digest, expiresAt });
    await this.log.ofPerson(tx, ctx, 'user.password.reset', userId);
    return { token, expiresAt };
  }
}
