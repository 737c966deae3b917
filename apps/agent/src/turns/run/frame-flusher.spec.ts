import { FrameFlusher } from './frame-flusher';
import { TurnLeases } from './turn-leases';
import type { TurnFeed } from '../frames/turn-feed';

jest.useFakeTimers();

function aFlusher(): { leases: TurnLeases; flusher: FrameFlusher; feed: TurnFeed; flushed: number[] } {
  const leases = new TurnLeases();
  const flushed: number[] = [];
  const feed = { flush: () => flushed.push(performance.now()) } as unknown as TurnFeed;
  return { leases, flusher: new FrameFlusher(leases), feed, flushed };
}

describe('the flusher of feeds', () => {
  it('lets a frame out at once where it is quiet, and the next ones together a moment later', () => {
    const { flusher, feed, flushed } = aFlusher();
    jest.advanceTimersByTime(1000);
    flusher.mark(feed);
    jest.advanceTimersByTime(0);
    expect(flushed).toHaveLength(1);
    flusher.mark(feed);
    flusher.mark(feed);
    jest.advanceTimersByTime(1);
    expect(flushed).toHaveLength(1);
    jest.advanceTimersByTime(5);
    expect(flushed).toHaveLength(2);
  });

  it('waits longer the more turns run', () => {
    const { leases, flusher, feed, flushed } = aFlusher();
    leases.turns = 200;
    leases.confirm(performance.now());
    jest.advanceTimersByTime(1000);
    flusher.mark(feed);
    jest.advanceTimersByTime(0);
    flusher.mark(feed);
    jest.advanceTimersByTime(30);
    expect(flushed).toHaveLength(1);
    jest.advanceTimersByTime(20);
    expect(flushed).toHaveLength(2);
  });

  it('says nothing while the leases are in doubt, and goes on when they are heard of', () => {
    const { leases, flusher, feed, flushed } = aFlusher();
    leases.turns = 1;
    leases.markUnconfirmed();
    flusher.mark(feed);
    jest.advanceTimersByTime(10_000);
    expect(flushed).toEqual([]);
    leases.confirm(performance.now());
    jest.advanceTimersByTime(100);
    expect(flushed).toHaveLength(1);
  });
});

describe('leases of held turns', () => {
  it('are believed for seconds after a heartbeat, and where no turn is held', () => {
    const leases = new TurnLeases();
    jest.advanceTimersByTime(60_000);
    expect(leases.areConfirmed).toBe(true);
    leases.turns = 1;
    expect(leases.areConfirmed).toBe(false);
    leases.confirm(performance.now());
    jest.advanceTimersByTime(6_000);
    expect(leases.areConfirmed).toBe(true);
    jest.advanceTimersByTime(1_000);
    expect(leases.areConfirmed).toBe(false);
  });
});
