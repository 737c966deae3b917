import { AppError } from '@switchyard/kernel';

/** Created only when thrown: its stack would cost more than the check. */
export const invalidSignature = (): AppError =>
  new AppError('FORBIDDEN', 'The request did not come through the platform.');
