import type { Database } from '@switchyard/database';
import { type WaitOutside, directly } from '@switchyard/messaging';
import type { Logger } from '../logger';
import type { Claims } from './leased-rows';
import { type ClaimedRow, type Hold, type RenewedRow, LeaseLost } from './row-lease';
import { LeaseHolder, type LeasedWork } from './lease-holder';

jest.useFakeTimers();

const run = <T>(work: () => Promise<T>): Promise<T> => work();
const marks = { alone: <T>(work: (outside: WaitOutside) => Promise<T>) => work(directly), fresh: run };

const row = (id: string, epoch = 1): ClaimedRow => ({ spaceId: 's', id, epoch, bytes: 10 });

/** A table of claims in memory: those held and those released. */
function aHolder(own: Partial<LeasedWork<ClaimedRow>> = {}) {
  const released: string[] = [];
  const timedOut: string[] = [];
  const letGo: number[] = [];
  const taken = new Set<string>();
  let isDown = false;
  const signals = new Map<string, AbortSignal>();
  const claims = {
    keep: (_: unknown, _worker: string, holds: readonly Hold[]): Promise<RenewedRow[]> =>
      Promise.resolve(holds.filter(({ id }) => !taken.has(id))),
    release: (_: unknown, { id }: Hold): Promise<void> => {
      released.push(id);
      return Promise.resolve();
    },
  } as unknown as Claims;
  const run = <T>(work: (tx: unknown) => Promise<T>): Promise<T> =>
    isDown ? Promise.reject(new Error('away')) : work({});
  const database = {
    inSpace: (_: string, work: (tx: unknown) => Promise<unknown>) => run(work),
    system: (_: string, work: (tx: unknown) => Promise<unknown>) => run(work),
  } as unknown as Database;
  const untilStopped = (claimed: ClaimedRow, _: Hold, signal: AbortSignal): Promise<number> => {
    signals.set(claimed.id, signal);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('stopped'));
      });
    });
  };
  const holder = new LeaseHolder<ClaimedRow>(database, claims, { warn: () => undefined } as unknown as Logger, marks, {
    what: 'row',
    work: untilStopped,
    isSuspect: () => false,
    remainingMs: () => null,
    timeOut: ({ id }) => {
      timedOut.push(id);
      return Promise.resolve();
    },
    handOverMs: 1_000,
    ...own,
  });
  holder.onLetGo((afterMs) => letGo.push(afterMs));
  const goDown = (): void => {
    isDown = true;
  };
  return { holder, released, timedOut, letGo, lost: taken, signals, goDown };
}

const moment = (ms = 0): Promise<void> => jest.advanceTimersByTimeAsync(ms).then(() => undefined);

describe('leased work', () => {
  it('lets go of a row that is done, and says when it wants to be taken up again', async () => {
    const { holder, released, letGo } = aHolder({ work: () => Promise.resolve(250) });
    holder.start(row('a'));
    expect([holder.size, holder.bytes]).toEqual([1, 10]);
    await moment();
    expect([holder.size, letGo, released]).toEqual([0, [250], []]);
  });

  it('has the place of a row free while it waits for an answer, and keeps its lease', async () => {
    let answer = (): void => undefined;
    const given: number[] = [];
    const {
      holder,
      lost: taken,
      released,
    } = aHolder({
      work: async (_, hold) => {
        await holder.withoutSlot(hold, 1, () => new Promise<void>((resolve) => (answer = resolve)));
        given.push(holder.size);
        return 0;
      },
    });
    holder.onSlotFreed(() => given.push(holder.size));
    holder.start(row('a'));
    await moment();
    expect([holder.size, holder.waitingSize, holder.bytes, holder.usedBySpace.get('s')?.slots]).toEqual([0, 1, 10, 1]);
    await moment(10_000);
    // As many wait as may: this one keeps its place.
    const answerFirst = answer;
    holder.start(row('b'));
    await moment();
    expect([holder.size, holder.waitingSize]).toEqual([1, 1]);
    // In a new epoch it has a slot, even while the old one waits.
    holder.start(row('a', 2));
    await moment();
    expect([holder.size, holder.waitingSize]).toEqual([1, 1]);
    answerFirst();
    await moment();
    expect([holder.size, holder.waitingSize, taken.size, released]).toEqual([1, 1, 0, []]);
    answer();
    await moment();
    expect(given[0]).toBe(0);
    expect([holder.size, holder.waitingSize]).toEqual([1, 0]);
  });

  it('gives a row back that failed', async () => {
    const { holder, released } = aHolder({ work: () => Promise.reject(new Error('broken')) });
    holder.start(row('a'));
    await moment(1_000);
    expect([holder.size, released]).toEqual([0, ['a']]);
  });

  it('does not give back what another worker holds by now', async () => {
    const { holder, released } = aHolder({ work: () => Promise.reject(new LeaseLost()) });
    holder.start(row('a'));
    await moment(1_000);
    expect([holder.size, released]).toEqual([0, []]);
  });

  it('writes down that the time of a row was over', async () => {
    const { holder, released, timedOut } = aHolder({ remainingMs: () => 5_000 });
    holder.start(row('a'));
    await moment(4_999);
    expect(timedOut).toEqual([]);
    await moment(1);
    expect([timedOut, released, holder.size]).toEqual([['a'], [], 0]);
  });

  it('stops work on a row that a heartbeat finds in other hands, and on no other', async () => {
    const { holder, released, lost: taken, signals } = aHolder();
    holder.start(row('a'));
    holder.start(row('b'));
    taken.add('a');
    await moment(10_000);
    expect([signals.get('a')?.aborted, signals.get('b')?.aborted, released]).toEqual([true, false, []]);
  });

  it('stops by itself before its leases can be taken, where it cannot keep them', async () => {
    const { holder, signals, goDown } = aHolder();
    holder.start(row('a'));
    await moment(10_000);
    goDown();
    await moment(20_000);
    expect(signals.get('a')?.aborted).toBe(false);
    await moment(10_000);
    expect([signals.get('a')?.aborted, holder.size]).toEqual([true, 0]);
  });

  it('counts nothing that it still does in an earlier epoch of a row', async () => {
    const { holder, signals } = aHolder();
    holder.start(row('a'));
    const earlier = signals.get('a');
    await moment();
    const before = signals.get('a') ?? earlier;
    holder.start(row('a', 2));
    await moment();
    expect([before?.aborted, signals.get('a')?.aborted, holder.find('a')?.hold.epoch]).toEqual([true, false, 2]);
  });

  it('hands over what has not ended when the process is told to stop', async () => {
    const { holder, released } = aHolder();
    holder.start(row('a'));
    const ended = holder.end();
    await moment(1_000);
    await ended;
    expect([released, holder.size]).toEqual([['a'], 0]);
  });

  it('waits at the stop for work that takes a while to break off, and releases it then', async () => {
    const endsLate = (_: ClaimedRow, __: Hold, signal: AbortSignal): Promise<number> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => setTimeout(() => reject(new Error('stopped')), 10_000));
      });
    const { holder, released } = aHolder({ work: endsLate, handOverMs: 0, breakOffMs: 20_000 });
    holder.start(row('a'));
    await moment();
    const atEnd = holder.end().then(() => [...released]);
    await moment(10_000);
    expect(await atEnd).toEqual(['a']);
  });

  it('hands over at once what was claimed while the process began to stop', async () => {
    const { holder, released } = aHolder();
    await holder.end();
    holder.start(row('late'));
    const ended = holder.end();
    await moment(1);
    await ended;
    expect([released, holder.size]).toEqual([['late'], 0]);
  });
});
