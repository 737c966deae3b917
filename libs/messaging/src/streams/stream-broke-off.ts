import { AppError } from '@switchyard/kernel';

/** What readers of a stream are told that ended before its end. */
export const streamBrokeOff = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'The stream broke off. Attach to it again.', { retryAfterSeconds: 1 });
