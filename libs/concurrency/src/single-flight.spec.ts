import { SingleFlight } from './single-flight';

describe('SingleFlight', () => {
  it('does work once for all callers at a time, and again for later ones', async () => {
    const flight = new SingleFlight<number>();
    let runs = 0;
    const work = (): Promise<number> => Promise.resolve((runs += 1));
    expect(await Promise.all([flight.run('a', work), flight.run('a', work), flight.run('b', work)])).toEqual([1, 1, 2]);
    expect(flight.get('a')).toBeUndefined();
    expect(await flight.run('a', work)).toBe(3);
  });

  it('passes a failure on to all callers, and begins again after it', async () => {
    const flight = new SingleFlight<number>();
    const fail = (): Promise<number> => Promise.reject(new Error('unavailable'));
    const both = await Promise.allSettled([flight.run('a', fail), flight.run('a', fail)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await flight.run('a', () => Promise.resolve(5))).toBe(5);
  });

  it('lets later callers begin their own work after detach, which the end of the earlier work does not touch', async () => {
    const flight = new SingleFlight<string>();
    const first = flight.run('a', () => Promise.resolve('first'));
    flight.detach('a');
    const second = flight.run('a', () => new Promise((resolve) => setImmediate(resolve, 'second')));
    expect(await first).toBe('first');
    expect(await flight.run('a', () => Promise.resolve('third'))).toBe('second');
    expect(await second).toBe('second');
    const last = flight.run('a', () => Promise.resolve('last'));
    flight.detachAll();
    expect(flight.get('a')).toBeUndefined();
    await last;
  });
});
