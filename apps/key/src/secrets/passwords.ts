import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';

// OWASP's second choice for argon2id: 19 MiB, two passes, one lane. The library's default algorithm is argon2id.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

@Injectable()
export class Passwords {
  /** The hash of a password nobody knows: checked when there is no account, so that it takes as long. */
  private readonly nobodys = hash(randomBytes(32), COST);

  hash(password: string): Promise<string> {
    return hash(password.normalize('NFKC'), COST);
  }

  /** Takes the same time whether the account exists, has a password, or neither. */
  async isRight(password: string, storedHash: string | null): Promise<boolean> {
    const matches = await verify(storedHash ?? (await this.nobodys), password.normalize('NFKC'));
    return storedHash !== null && matches;
  }
}
