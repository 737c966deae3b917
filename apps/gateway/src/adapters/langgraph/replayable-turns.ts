import type { TurnOfSession } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { numberBefore } from './thread-event-numbers';

/** Turns that are replayed to a returning reader. */
export const MAX_TURNS = 20;

const tooLongAgo = (): AppError =>
  new AppError(
    'STREAM_EXPIRED',
    `More than ${MAX_TURNS} turns have begun since. Read the state of the thread, and listen without since.`,
  );

/**
 * The first turn to send to a reader that has all events up to `since`; without it, the newest one. `turns` are the
 * newest ones of the thread, oldest first. A reader who has some events is never told of others with a gap; one who has
 * none (0) begins with the oldest of them.
 */
export function firstUnsent(turns: readonly TurnOfSession[], since: number | null): TurnOfSession | null {
  if (since === null) return turns.at(-1) ?? null;
  const at = turns.findLastIndex(({ startedAt }) => numberBefore(startedAt) <= since);
  if (at === -1 && since > 0 && turns.length >= MAX_TURNS) throw tooLongAgo();
  return turns[Math.max(0, at)] ?? null;
}

/** The turn after a sent one. */
export function nextUnsent(turns: readonly TurnOfSession[], sent: TurnOfSession): TurnOfSession | null {
  const at = turns.findIndex(({ id }) => id === sent.id);
  if (at !== -1) return turns[at + 1] ?? null;
  const later = turns.findIndex(({ startedAt }) => startedAt > sent.startedAt);
  if (later === 0 && turns.length >= MAX_TURNS) throw tooLongAgo();
  return turns[later] ?? null;
}
