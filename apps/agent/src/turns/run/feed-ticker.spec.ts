import { FeedTicker } from './feed-ticker';
import { TurnLeases } from './turn-leases';
import type { TurnFeed } from '../frames/turn-feed';

jest.useFakeTimers();

function aTicker(): { leases: TurnLeases; ticker: FeedTicker; feed: TurnFeed; flushed: number[] } {
  const leases = new TurnLeases();
  const flushed: number[] = [];
  const feed = { flush: () => flushed.push(performance.now()) } as unknown as TurnFeed;
  return { leases, ticker: new FeedTicker(leases), feed, flushed };
}

describe('the ticker of feeds', () => {
  it('lets a frame out at once where it is quiet, and the next ones together a moment later', () => {
    const { ticker, feed, flushed } = aTicker();
    jest.advanceTimersByTime(1000);
    ticker.mark(feed);
    jest.advanceTimersByTime(0);
    expect(flushed).toHaveLength(1);
    ticker.mark(feed);
    ticker.mark(feed);
    jest.advanceTimersByTime(1);
    expect(flushed).toHaveLength(1);
    jest.advanceTimersByTime(5);
    expect(flushed).toHaveLength(2);
  });

  it('waits longer the more turns run', () => {
    const { leases, ticker, feed, flushed } = aTicker();
    leases.turns = 200;
    leases.confirm(performance.now());
    jest.advanceTimersByTime(1000);
    ticker.mark(feed);
    jest.advanceTimersByTime(0);
    ticker.mark(feed);
    jest.advanceTimersByTime(30);
    expect(flushed).toHaveLength(1);
    jest.advanceTimersByTime(20);
    expect(flushed).toHaveLength(2);
  });

  it('says nothing while the leases are in doubt, and goes on when they are heard of', () => {
    const { leases, ticker, feed, flushed } = aTicker();
    leases.turns = 1;
    leases.markUnconfirmed();
    ticker.mark(feed);
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
