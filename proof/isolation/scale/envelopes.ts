import { type TestPlatform, until } from '@switchyard/testing';
import { setScene } from '../../faults/scene';
import { changes, inParallel, takenBy } from './figures';
import type { ScaleReport } from './scale-report';

const WORKERS = 16;
const REPORT_EVERY = 10_000;
const QUIET_WITHIN_MS = 600_000;

/** A day's envelopes as fast as the platform takes them, each for two subscriptions; and how long the last one waits. */
export async function runEnvelopes(
  platform: TestPlatform,
  count: number,
  print: (line: string) => void,
): Promise<ScaleReport> {
  const { app, appIdentifier } = await setScene(platform);
  const before = await takenBy(platform);
  const refused = new Map<number, number>();
  let firstRefused = '';
  let accepted = 0;
  const from = Date.now();
  const seconds = (): number => Math.round((Date.now() - from) / 1000);
  await inParallel(count, WORKERS, async (n) => {
    for (;;) {
      const payload = { n, kind: n % 2 === 0 ? 'even' : 'odd' };
      const { status } = await app.post('/events/emit', { appIdentifier, event: 'tick', payload });
      if (status === 202) break;
      firstRefused ||= `${status} after ${accepted} envelopes and ${seconds()} s`;
      refused.set(status, (refused.get(status) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    accepted += 1;
    if (accepted % REPORT_EVERY === 0)
      print(`${accepted} accepted in ${seconds()} s; ${JSON.stringify(await takenBy(platform))}`);
  });
  const acceptedIn = seconds();
  const waiting = async (): Promise<number> => {
    const [row] = await platform.database.query<{ waiting: number }>(`
      select ((select count(*) from event_bus.emissions where status = 'PENDING')
            + (select count(*) from task.executions where status in ('QUEUED', 'RUNNING')))::int as waiting`);
    return row?.waiting ?? 0;
  };
  const broken: string[] = [];
  await until(async () => (await waiting()) === 0, { timeoutMs: QUIET_WITHIN_MS, everyMs: 1_000 }).catch(async () => {
    broken.push(`${await waiting()} still wait ${QUIET_WITHIN_MS / 1000} s after the last emission`);
  });
  const ranIn = seconds();
  return {
    name: 'envelopes',
    count,
    figures: {
      'accepted a second': Math.round(accepted / Math.max(1, acceptedIn)),
      'executions a second': Math.round((2 * accepted) / Math.max(1, ranIn)),
      'seconds until all had run': ranIn,
      refused: JSON.stringify(Object.fromEntries(refused)),
      'first refused': firstRefused || 'none',
      ...changes(before, await takenBy(platform)),
    },
    broken,
  };
}
