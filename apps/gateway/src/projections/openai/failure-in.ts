import type { TurnFailure } from '@switchyard/contracts';

/** What an `error-occurred` says of a turn. Those of older versions do not say whether it is worth trying again. */
export const failureIn = (data: Readonly<Record<string, unknown>>): TurnFailure => ({
  code: String(data['code']),
  message: String(data['message']),
  retryable: data['retryable'] !== false,
  ...(typeof data['retry_at'] === 'string' ? { retryAt: data['retry_at'] } : {}),
});
