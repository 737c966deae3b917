import { Injectable } from '@nestjs/common';
import type { AppError } from '@switchyard/kernel';
import { KeyConfig } from '../key.config';
import { type AttemptCount, FailedAttemptLimiter, tooManyAttempts } from '../throttle/failed-attempt-limiter';

/** Whose password is being tried, and from where. */
export interface Attempt {
  /** The account, as far as the request names it: an address in a Space or in any, or a user. */
  account: string;
  client: string;
}

const FROM_ALL_CLIENTS = 10;

/**
 * Failures are counted by account and client, so that an attacker cannot lock an account for its owner; a higher bound
 * on all clients together stops guessing from many places.
 */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly window: FailedAttemptLimiter,
    private readonly config: KeyConfig,
  ) {}

  async refuseWhenTried(attempt: Attempt): Promise<void> {
    const [own, all] = await Promise.all([
      this.window.count('login', ownName(attempt)),
      this.window.count('logins', attempt.account),
    ]);
    if (own.attempts >= this.limit) throw tooMany(own);
    if (all.attempts >= this.limit * FROM_ALL_CLIENTS) throw tooMany(all);
  }

  /** Records a failure; the refusal when it was one too many. */
  async failed(attempt: Attempt): Promise<AppError | null> {
    const [own] = await Promise.all([
      this.window.record('login', ownName(attempt)),
      this.window.record('logins', attempt.account),
    ]);
    return own.attempts > this.limit ? tooMany(own) : null;
  }

  private get limit(): number {
    return this.config.LOGIN_FAILURES_PER_MINUTE;
  }
}

const ownName = ({ account, client }: Attempt): string => `${client} ${account}`;

const tooMany = (count: AttemptCount): AppError =>
  tooManyAttempts('Too many failed sign-ins with this account. Wait a minute, then try again.', count);
