import type { TurnOfSession } from '@switchyard/contracts';
import { numberBefore } from './thread-event-numbers';
import { firstUnsent, MAX_TURNS, nextUnsent } from './replayable-turns';

const turn = (n: number): TurnOfSession =>
  ({ id: `t${n}`, startedAt: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString() }) as TurnOfSession;
const turns = (from: number, count: number): TurnOfSession[] => Array.from({ length: count }, (_, n) => turn(from + n));
/** The third event of a turn. */
const eventOf = (n: number): number => numberBefore(turn(n).startedAt) + 3;
const EXPIRED = expect.objectContaining({ code: 'STREAM_EXPIRED' });

describe('a reader that reconnects', () => {
  it('continues in the turn of its last event', () => {
    expect(firstUnsent(turns(0, MAX_TURNS), eventOf(4))?.id).toBe('t4');
    expect(firstUnsent(turns(7, MAX_TURNS), eventOf(7))?.id).toBe('t7');
  });

  it('begins with the newest turn, or with the first if it requests all', () => {
    expect(firstUnsent(turns(0, 3), null)?.id).toBe('t2');
    expect(firstUnsent(turns(0, 3), 0)?.id).toBe('t0');
    expect([firstUnsent([], null), firstUnsent([], eventOf(1))]).toEqual([null, null]);
  });

  it('is refused if more turns have begun since than are replayed', () => {
    expect(() => firstUnsent(turns(8, MAX_TURNS), eventOf(7))).toThrow(EXPIRED);
  });
});

describe('the turn after a replayed one', () => {
  it('is the next of the thread', () => {
    expect(nextUnsent(turns(0, 3), turn(1))?.id).toBe('t2');
    expect(nextUnsent(turns(0, 3), turn(2))).toBeNull();
    // It is no longer listed: its session was emptied, or it is one of few.
    expect(nextUnsent(turns(4, 3), turn(1))?.id).toBe('t4');
  });

  it('is unknown if turns between them may be missing from the list', () => {
    expect(() => nextUnsent(turns(4, MAX_TURNS), turn(1))).toThrow(EXPIRED);
  });
});
