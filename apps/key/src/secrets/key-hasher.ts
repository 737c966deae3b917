import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Ctx } from '@switchyard/contracts';
import { keyedFingerprint } from '@switchyard/service';
import type { KeyDigest } from '../db/key-values.repository';
import { Pepper, readPeppers } from '../domain/parse-peppers';
import { KeyConfig } from '../key.config';

/**
 * Keyed digests of what we hand out once and look up by equality: API keys and refresh tokens. They are long and
 * random, so a fast hash is enough; without the pepper, write access to the database is not enough to make a working
 * row.
 */
@Injectable()
export class KeyHasher {
  private readonly peppers: [Pepper, ...Pepper[]];

  constructor(config: KeyConfig) {
    const [current, ...others] = readPeppers(config.KEY_PEPPERS) ?? [];
    if (!current)
      throw new Error('KEY_PEPPERS must look like 1:<base64 of 32 bytes or more>, several separated by commas.');
    this.peppers = [current, ...others];
  }

  /** The digest to store. */
  digest(secret: string): KeyDigest {
    const [current] = this.peppers;
    return { digest: hmac(current, secret), pepperVersion: current.version };
  }

  keyedFingerprint(ctx: Ctx): Ctx {
    const [current, ...others] = this.peppers;
    return keyedFingerprint(ctx, [current.secret, ...others.map(({ secret }) => secret)]);
  }

  /** Every digest that the secret may have been stored under. */
  candidates(secret: string): Buffer[] {
    return this.peppers.map((pepper) => hmac(pepper, secret));
  }
}

const hmac = (pepper: Pepper, secret: string): Buffer => createHmac('sha256', pepper.secret).update(secret).digest();
