import { AppError } from '@switchyard/kernel';

const DAY_SECONDS = 86_400;

export interface MadeSpaces {
  all: number;
  /** In the last 24 hours. */
  ofDay: number;
  oldestOfDay: string | null;
}

/** Why a person who is no operator may make no other Space; null where nothing stands against it. */
export function refuseCreation(made: MadeSpaces, limits: { all: number; ofDay: number }, now: Date): AppError | null {
  if (made.all >= limits.all)
    return new AppError('RATE_LIMITED', `You have made ${made.all} Spaces, and may make ${limits.all}.`, {
      retryAfterSeconds: DAY_SECONDS,
    });
  if (made.ofDay < limits.ofDay) return null;
  const ageMs = made.oldestOfDay === null ? 0 : now.getTime() - Date.parse(made.oldestOfDay);
  const seconds = Math.ceil(DAY_SECONDS - ageMs / 1000);
  return new AppError('RATE_LIMITED', `You may make ${limits.ofDay} Spaces in 24 hours.`, {
    retryAfterSeconds: Math.min(DAY_SECONDS, Math.max(1, seconds)),
  });
}
