/// <reference types="jest" />
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { ROW_PAUSE_MS, RowRefresh } from './row-refresh';

jest.useFakeTimers();

const MINUTE_MS = 60_000;
const NUMBERS = ['agents', 'numbers'];
const ids = (count: number): string[] => Array.from({ length: count }, (_, at) => `agent-${at}`);
const clients: QueryClient[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.clear();
});

/** A table whose rows have one query each; `tookMs` is what a reading takes. */
async function table(shown: readonly string[], tookMs = 0) {
  const queries = new QueryClient();
  clients.push(queries);
  const reads: string[] = [];
  const show = (id: string): (() => void) => {
    const queryFn = async (): Promise<number> => {
      reads.push(id);
      if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs));
      return reads.length;
    };
    const options = { queryKey: [...NUMBERS, id, 'from'], queryFn, staleTime: MINUTE_MS };
    return new QueryObserver(queries, options).subscribe(() => undefined);
  };
  const hides = new Map(shown.map((id) => [id, show(id)]));
  await jest.advanceTimersByTimeAsync(tookMs);
  reads.length = 0;
  return { queries, refresh: new RowRefresh(queries, [NUMBERS]), reads, show, hide: (id: string) => hides.get(id)?.() };
}

it('reads as many rows in a minute however many change, and each of them in its turn', async () => {
  const rows = ids(25);
  const { refresh, reads } = await table(rows);
  for (let at = 0; at < MINUTE_MS; at += 500) {
    for (const id of rows) refresh.changed(id);
    await jest.advanceTimersByTimeAsync(500);
  }
  // The first one is read at once.
  expect(reads).toHaveLength(1 + MINUTE_MS / ROW_PAUSE_MS);
  expect(new Set(reads)).toEqual(new Set(rows));
});

it('reads a row at once that changes alone, and after many changes once more', async () => {
  const { refresh, reads } = await table(ids(2));
  refresh.changed('agent-1');
  await jest.advanceTimersByTimeAsync(0);
  expect(reads).toEqual(['agent-1']);
  for (let times = 0; times < 10; times += 1) refresh.changed('agent-1');
  await jest.advanceTimersByTimeAsync(MINUTE_MS);
  expect(reads).toEqual(['agent-1', 'agent-1']);
});

it('reads a row out of view as soon as it is shown again, and only if it has changed', async () => {
  const { refresh, reads, show, hide } = await table(ids(3));
  hide('agent-0');
  hide('agent-1');
  refresh.changed('agent-2');
  await jest.advanceTimersByTimeAsync(0);
  refresh.changed('agent-1');
  expect(reads).toEqual(['agent-2']);
  show('agent-0');
  show('agent-1');
  await jest.advanceTimersByTimeAsync(0);
  expect(reads).toEqual(['agent-2', 'agent-1']);
});

it('spends no pause on rows that leave the view while they wait', async () => {
  const { refresh, reads, hide } = await table(ids(25));
  for (const id of ids(25)) refresh.changed(id);
  for (const id of ids(24)) hide(id);
  await jest.advanceTimersByTimeAsync(0);
  expect(reads).toEqual(['agent-24']);
});

it('does not take a reading that began before the change for the one after it', async () => {
  const { queries, refresh, reads } = await table(['agent-0'], 100);
  void queries.invalidateQueries({ queryKey: NUMBERS });
  refresh.changed('agent-0');
  await jest.advanceTimersByTimeAsync(50);
  expect(reads).toEqual(['agent-0']);
  await jest.advanceTimersByTimeAsync(ROW_PAUSE_MS);
  expect(reads).toEqual(['agent-0', 'agent-0']);
});

it('reads every row in its turn after changes that may have been missed', async () => {
  const { refresh, reads } = await table(ids(3));
  refresh.missed();
  await jest.advanceTimersByTimeAsync(0);
  expect(reads).toEqual(['agent-0']);
  await jest.advanceTimersByTimeAsync(2 * ROW_PAUSE_MS);
  expect(reads).toEqual(ids(3));
});

it('reads nothing once it is stopped, and a row that is shown after it anew', async () => {
  const { refresh, reads, show, hide } = await table(ids(2));
  refresh.changed('agent-0');
  refresh.stop();
  await jest.advanceTimersByTimeAsync(MINUTE_MS / 2);
  expect(reads).toEqual([]);
  hide('agent-1');
  show('agent-1');
  await jest.advanceTimersByTimeAsync(0);
  expect(reads).toEqual(['agent-1']);
});
