import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { FairSemaphore } from '@switchyard/concurrency';
import { AppError } from '@switchyard/kernel';
import { Metrics } from '@switchyard/service';
import { KeyConfig } from '../key.config';

// OWASP's second choice for argon2id: 19 MiB, two passes, one lane. The library's default algorithm is argon2id.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Well before the caller's request times out: hashing for an abandoned request wastes a core. */
const WAIT_MS = 8_000;

/** Password hashing, in turn by client. */
export interface Hashing {
  hash(password: string): Promise<string>;
  /**
   * The place of the first hash that belongs to the password, or -1. Always does `rounds` verifications, so that the
   * time does not tell how many accounts there are, nor which of them was meant.
   */
  find(password: string, hashes: readonly (string | null)[], rounds: number): Promise<number>;
}

/**
 * Hashes passwords, a bounded number at once: each takes 19 MiB and a core. `caller` names whose turn it is, an
 * address or a Space, so that a flood of one does not keep the others waiting.
 */
@Injectable()
export class PasswordHashing {
  /** A hash that no password has: checked where there is no account, so that it takes as long. */
  private readonly unknown = hash(randomBytes(32), COST);
  private readonly queue: FairSemaphore;

  constructor(config: KeyConfig, metrics: Metrics) {
    const refused = metrics.counter(
      'switchyard_password_hashes_refused_total',
      'Password checks that were rejected because the queue was full.',
    );
    // A flood of sign-ins leaves half of the cores to what everybody else waits for.
    const slots = Math.max(1, Math.min(config.PASSWORD_HASHES_AT_ONCE, Math.floor(availableParallelism() / 2)));
    this.queue = new FairSemaphore({
      slots: slots,
      share: slots,
      waitMs: WAIT_MS,
      waiting: { all: config.PASSWORD_HASHES_WAITING, each: Math.ceil(config.PASSWORD_HASHES_WAITING / 3) },
      refusal: () => {
        refused.inc();
        return new AppError('RATE_LIMITED', 'Too many passwords are being checked. Try again shortly.', {
          retryAfterSeconds: 1,
        });
      },
    });
    metrics.gauge('switchyard_password_hashes_waiting', 'Password checks in the queue.', [], (gauge) =>
      gauge.set(this.queue.waiting),
    );
    metrics
      .gauge('switchyard_password_hashes_waiting_limit', 'Limit of `switchyard_password_hashes_waiting`.')
      .set(config.PASSWORD_HASHES_WAITING);
  }

  hash(caller: string, password: string): Promise<string> {
    return this.inTurn(caller, (hashing) => hashing.hash(password));
  }

  /** All of `work` waits for its place, so its reads and writes beside the hashes are bounded too. */
  inTurn<T>(caller: string, work: (hashing: Hashing) => Promise<T>): Promise<T> {
    return this.queue.run(caller, () => work(this.hashing));
  }

  private readonly hashing: Hashing = {
    hash: (password) => hash(password.normalize('NFKC'), COST),
    find: async (password, hashes, rounds) => {
      const normal = password.normalize('NFKC');
      let found = -1;
      for (let i = 0; i < rounds; i += 1) {
        const stored = hashes[i] ?? null;
        const matches = await verify(stored ?? (await this.unknown), normal);
        if (matches && stored !== null && found < 0) found = i;
      }
      return found;
    },
  };
}
