import type { ProductFields, TurnFailure } from '@switchyard/contracts';

/** An error in a frame as the failure of its turn. */
export const failureIn = (fields: ProductFields<'errorOccurred'>): TurnFailure => ({
  code: fields.code,
  message: fields.message,
  retryable: fields.retryable,
  ...(fields.retry_at === undefined ? {} : { retryAt: fields.retry_at }),
});

/** The message of a failure for protocols that have no headers and no field for the time when a limit ends. */
export const failureMessage = ({ message, retry_at: retryAt }: ProductFields<'errorOccurred'>): string =>
  retryAt === undefined ? message : `${message} Try again at ${retryAt}.`;
