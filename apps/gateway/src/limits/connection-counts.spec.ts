import { ConnectionCounts } from './connection-counts';

const connection = (): object => ({});

describe('counted connections', () => {
  it('are bounded per address until they show a credential', () => {
    const counts = new ConnectionCounts({ total: 20, perAddress: 2, burst: 5 });
    const [first, second, third] = [connection(), connection(), connection()];
    expect([first, second].map((each) => counts.enter(each, 'a'))).toEqual([null, null]);
    expect(counts.isOver(second)).toBe(false);
    expect([counts.enter(third, 'a'), counts.isOver(third)]).toEqual([null, true]);
    expect(counts.enter(connection(), 'b')).toBeNull();
    counts.recognize(first);
    expect([first, third].map((each) => counts.isOver(each))).toEqual([false, false]);
    expect([counts.open, counts.most]).toEqual([4, 2]);
  });

  it('are refused at once where an address opens many times its share', () => {
    const counts = new ConnectionCounts({ total: 20, perAddress: 2, burst: 5 });
    for (let count = 0; count < 10; count += 1) expect(counts.enter(connection(), 'a')).toBeNull();
    expect(counts.enter(connection(), 'a')).toBe('address');
    expect(counts.enter(connection(), 'b')).toBeNull();
  });

  it('are bounded in all, and free their place when they close', () => {
    const counts = new ConnectionCounts({ total: 2, perAddress: 2, burst: 5 });
    const first = connection();
    counts.enter(first, 'a');
    counts.enter(connection(), '');
    expect(counts.enter(connection(), 'b')).toBe('total');
    counts.leave(first);
    expect([counts.enter(connection(), 'b'), counts.open]).toEqual([null, 2]);
  });

  it('are given back once, however often they are recognized', () => {
    const counts = new ConnectionCounts({ total: 10, perAddress: 2, burst: 5 });
    const [first, second] = [connection(), connection()];
    counts.enter(first, 'a');
    counts.enter(second, 'a');
    counts.recognize(first);
    counts.recognize(first);
    counts.leave(first);
    expect([counts.most, counts.open]).toEqual([1, 1]);
  });
});
