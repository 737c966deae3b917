import { AppError } from '@switchyard/kernel';

export const notAvailable = (cause: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'A part of the platform is not available. Try again shortly.', {
    cause,
    retryAfterSeconds: 1,
  });
