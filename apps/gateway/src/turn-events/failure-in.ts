import type { ProductFields, TurnFailure } from '@switchyard/contracts';

/** An error in a frame as the failure of its turn. Where an older version has not written `retryable`, it is. */
export const failureIn = (fields: ProductFields<'errorOccurred'>): TurnFailure => ({
  code: fields.code,
  message: fields.message,
  retryable: fields.retryable !== false,
  ...(fields.retry_at === undefined ? {} : { retryAt: fields.retry_at }),
});
