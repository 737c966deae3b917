import { AppError } from '@switchyard/kernel';

/** Error for readers of a stream that was interrupted. */
export const streamInterrupted = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'The stream broke off. Attach to it again.', { retryAfterSeconds: 1 });
