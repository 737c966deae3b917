import { type NamedTurn, WakeOnTurnEnd } from './wake-on-turn-end';

const turn = (turnId: string): NamedTurn => ({ spaceId: 'space', turnId });

describe('WakeOnTurnEnd', () => {
  let batches: string[][];
  let fails: boolean;
  let settled: WakeOnTurnEnd;
  let listened: number;
  const passed = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    jest.useFakeTimers();
    batches = [];
    fails = false;
    listened = 0;
    settled = new WakeOnTurnEnd((turns) => {
      batches.push(turns.map(({ turnId }) => turnId));
      return fails ? Promise.reject(new Error('unavailable')) : Promise.resolve();
    });
    settled.onDue(() => (listened += 1));
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('makes the work of turns due in one statement for those that settle at the same time', async () => {
    settled.settled(turn('a'));
    settled.settled(turn('b'));
    await passed(1);
    settled.settled(turn('c'));
    settled.settled(turn('d'));
    await passed(10);
    expect([batches, listened]).toEqual([
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      2,
    ]);
  });

  it('makes work due whose turn settled while its wait was stored, and no other', async () => {
    settled.settled(turn('before'));
    await passed(10);
    settled.beginLook(turn('before'));
    settled.endLook(turn('before'));
    settled.beginLook(turn('meanwhile'));
    settled.settled(turn('meanwhile'));
    await passed(10);
    settled.endLook(turn('meanwhile'));
    await passed(10);
    expect(batches).toEqual([['before'], ['meanwhile'], ['meanwhile']]);
  });

  it('goes on after a statement that failed: that work is due by itself later', async () => {
    fails = true;
    settled.settled(turn('a'));
    await passed(10);
    fails = false;
    settled.settled(turn('b'));
    await passed(10);
    expect([batches, listened]).toEqual([[['a'], ['b']], 2]);
  });
});
