import { AppError } from '@switchyard/kernel';
import { ConcurrencyQuota } from '../limits/concurrency-quota';

export const IN_FLIGHT_OF_ACCOUNT = 256;
export const IN_FLIGHT_OF_SPACE = 1024;

const tooMany = (whose: string, most: number) => (): AppError =>
  new AppError('RATE_LIMITED', `${whose} may have ${most} requests in flight at once. Wait for one of them.`, {
    retryAfterSeconds: 1,
  });

/** Requests over NATS without an answer yet, of each account and of each Space. */
export const inFlightQuota = (): ConcurrencyQuota =>
  new ConcurrencyQuota(
    { name: 'account', most: IN_FLIGHT_OF_ACCOUNT, refusal: tooMany('An account', IN_FLIGHT_OF_ACCOUNT) },
    { name: 'space', most: IN_FLIGHT_OF_SPACE, refusal: tooMany('The accounts of a Space', IN_FLIGHT_OF_SPACE) },
  );
