import { AppError, sleep } from '@switchyard/kernel';

const PAUSE_MS = 500;

const AWAY: readonly string[] = ['SERVICE_UNAVAILABLE', 'TIMEOUT'];

/** Asks again while the service is away, for calls that may be made twice: a restart should not cost a long upload. */
export async function untilItAnswers<T>(call: () => Promise<T>, patienceMs = 60_000): Promise<T> {
  const until = Date.now() + patienceMs;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof AppError) || !AWAY.includes(error.code) || Date.now() > until) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
