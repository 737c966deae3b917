import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until, usePlatform } from '@switchyard/testing';
import { JobActions } from './job-actions';
import { Listener } from './listener';

const platform = usePlatform();
const GOOD = 40;

interface StoredCallback {
  id: string;
  jobId: string;
  attempts: number;
  lastResult: string | null;
  deliveredAt: Date | null;
  givenUpAt: Date | null;
  statuses: (number | null)[];
  codes: (string | null)[];
}

const rowsOf = (jobIds: readonly string[]): Promise<StoredCallback[]> =>
  platform.database.query<StoredCallback & Record<string, unknown>>(
    `select id, job_id as "jobId", attempts, last_result as "lastResult", delivered_at as "deliveredAt", given_up_at as "givenUpAt",
       array(select (a->>'status')::int from jsonb_array_elements(attempt_log) a) as statuses,
       array(select a->'error'->>'code' from jsonb_array_elements(attempt_log) a) as codes
       from job.callbacks where job_id = any($1)`,
    [jobIds],
  );

const areNoneSuspect = async (jobIds: readonly string[]): Promise<boolean> => {
  const suspects = 'select 1 from job.callbacks where job_id = any($1) and takeovers > 0 limit 1';
  return (await platform.database.query(suspects, [jobIds])).length === 0;
};

describe('receivers of all kinds side by side, and kill -9 of the job service', () => {
  it('take from a good one not a single callback, and nothing is sent that was recorded as delivered', async () => {
    const space = await platform.newSpace();
    const jobs = await JobActions.open(space);
    const silent = createServer((request) => request.resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.2', resolve));
    const good = await Listener.open();
    const slowToAccept = await Listener.open((count) => (count < 3 ? 500 : 204));
    const refusing = await Listener.open(() => 410);
    const redirecting = await Listener.open(() => 307, '127.0.0.2', { location: good.url });
    const hidden = await Listener.open(() => 200, '127.0.0.1');
    const urls = {
      hanging: `http://127.0.0.2:${(silent.address() as AddressInfo).port}/`,
      slowToAccept: slowToAccept.url,
      refusing: refusing.url,
      redirecting: redirecting.url,
      hidden: hidden.url.replace('127.0.0.1', 'localhost'),
    };
    // The answer may be lost with the process.
    const submit = (callbackUrl: string, key: string): Promise<string> =>
      until(
        async () => {
          const headers = { 'idempotency-key': key };
          const { status, body } = await space.owner.post('/agent-jobs', jobs.body('Hi', { callbackUrl }), { headers });
          return status === 202 || status === 200 ? (body.data.id as string) : null;
        },
        { timeoutMs: 60_000, everyMs: 250 },
      );
    const others = Object.fromEntries(
      await Promise.all(Object.entries(urls).map(async ([name, url]) => [name, await submit(url, name)] as const)),
    );
    const kills = [
      () => platform.service('job').arm('job.callback-sent', 'kill'),
      () => platform.service('job').crash(),
      () => platform.service('job').arm('job.callback-sent', 'kill'),
    ];
    const ids: string[] = [];
    for (let at = 0; at < GOOD; at += 10) {
      const keys = Array.from({ length: 10 }, (_, i) => `good-${at + i}`);
      ids.push(...(await Promise.all(keys.map((key) => submit(good.url, key)))));
      // A callback that is lost again while it runs alone is blamed for it, and ends.
      await until(() => areNoneSuspect(ids), { timeoutMs: 120_000, everyMs: 250 });
      await kills.shift()?.();
    }

    const delivered = await until(
      async () => {
        const rows = await rowsOf(ids);
        return rows.length === GOOD && rows.every((row) => row.deliveredAt !== null) ? rows : null;
      },
      { timeoutMs: 200_000, everyMs: 500 },
    );
    const idOf = ({ headers }: { headers: Record<string, unknown> }): string => String(headers['webhook-id']);
    const row = async (name: string): Promise<StoredCallback | undefined> => (await rowsOf([others[name] ?? '']))[0];
    const ended = (name: string): Promise<StoredCallback> =>
      until(
        async () => {
          const found = await row(name);
          return found && (found.deliveredAt ?? found.givenUpAt) ? found : null;
        },
        { timeoutMs: 200_000, everyMs: 500 },
      );
    expect(await ended('slowToAccept')).toMatchObject({ lastResult: '204', givenUpAt: null });
    expect(await ended('refusing')).toMatchObject({ lastResult: '410', deliveredAt: null });
    expect(await ended('hidden')).toMatchObject({ lastResult: 'VALIDATION_ERROR', deliveredAt: null });
    expect(hidden.received).toHaveLength(0);
    for (const [name, result, code] of [
      ['redirecting', '307', 'REDIRECT'],
      ['hanging', 'TIMEOUT', 'TIMEOUT'],
    ] as const) {
      const tried = await until(
        async () => {
          const found = await row(name);
          return found?.lastResult === result ? found : null;
        },
        { timeoutMs: 200_000, everyMs: 500 },
      );
      expect(tried.codes).toContain(code);
      expect([tried.deliveredAt, tried.givenUpAt]).toEqual([null, null]);
    }

    expect(new Set(good.received.map(idOf))).toEqual(new Set(delivered.map(({ id }) => id)));
    for (const { id, deliveredAt, statuses, attempts } of delivered) {
      expect([statuses.filter((status) => status === 200), statuses.at(-1), attempts]).toEqual([
        [200],
        200,
        statuses.length,
      ]);
      const received = good.received.filter((request) => idOf(request) === id);
      for (const { at } of received) expect(at).toBeLessThanOrEqual(deliveredAt?.getTime() ?? 0);
    }
    // Few were sent by a process that died before it recorded them.
    expect(good.received.length).toBeGreaterThan(GOOD);
    expect(good.received.length).toBeLessThan(2 * GOOD);
    for (const listener of [good, slowToAccept, refusing, redirecting, hidden]) listener.close();
    silent.closeAllConnections();
    silent.close();
  }, 600_000);
});
