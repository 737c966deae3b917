import { AppError, backoffMs, sleep } from '@switchyard/kernel';
import type { StreamReader } from '@switchyard/messaging';

/** How long a stream looks for the turn after its agent was lost: a lease ends within this time. */
const FIND_AGAIN_MS = 60_000;
const RETRY = { baseMs: 250, maxMs: 2000 };
/** A stream opens within a second, also without frames. */
const NEXT_TRY_AFTER_MS = 1_000;
const TRIES_AT_ONCE = 8;

/** Error of a stream whose turn was not found again. */
export const streamInterrupted = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'The answer broke off: the agent was lost. Ask again.', { retryAfterSeconds: 1 });

type Attach = (signal: AbortSignal) => Promise<StreamReader<string>>;

interface Try {
  leave: AbortController;
  outcome: Promise<{ tried: Try; reader?: StreamReader<string>; isRefused?: boolean }>;
}

/**
 * Attaches to a turn whose agent was lost. An attempt may reach a frozen replica that does not answer: then the next
 * one starts in parallel, and the first to open wins. Null if there is no such turn.
 */
export async function reattach(attach: Attach, isNeeded: () => boolean): Promise<StreamReader<string> | null> {
  const end = Date.now() + FIND_AGAIN_MS;
  const tries = new Set<Try>();
  try {
    for (let failures = 0; Date.now() < end && isNeeded();) {
      const pause = tries.size === 0 ? backoffMs(failures + 1, RETRY) : NEXT_TRY_AFTER_MS;
      const done = await Promise.race([sleep(pause), ...[...tries].map(({ outcome }) => outcome)]);
      if (!done) {
        if (tries.size < TRIES_AT_ONCE) tries.add(begin(attach));
        continue;
      }
      tries.delete(done.tried);
      if (done.reader) return done.reader;
      if (done.isRefused) return null;
      failures += 1;
    }
    return null;
  } finally {
    for (const { leave } of tries) leave.abort();
  }
}

function begin(attach: Attach): Try {
  const leave = new AbortController();
  const tried: Try = {
    leave,
    outcome: attach(leave.signal).then(
      (reader) => ({ tried, reader }),
      (error: unknown) => ({ tried, isRefused: error instanceof AppError && error.status < 500 }),
    ),
  };
  return tried;
}
