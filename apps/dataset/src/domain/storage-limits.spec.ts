import { NO_CEILINGS } from '@switchyard/contracts';
import { ceilingsOf, checkCeilings, isFarBelow } from './storage-limits';

const CEILINGS = { records: 100, bytes: 1000 };

describe('the ceilings of stored records', () => {
  it('are those of the Space, else those of the configuration', () => {
    expect(ceilingsOf({ ...NO_CEILINGS, records: 0 }, CEILINGS)).toEqual({ records: 0, bytes: 1000 });
    expect(ceilingsOf(undefined, CEILINGS)).toEqual(CEILINGS);
  });

  it('can be reached, and not passed', () => {
    expect(() => checkCeilings({ records: 100, bytes: 1000 }, { records: 1, bytes: 1000 }, CEILINGS)).not.toThrow();
    expect(() => checkCeilings({ records: 101, bytes: 0 }, { records: 2, bytes: 0 }, CEILINGS)).toThrow('`records`');
    expect(() => checkCeilings({ records: 1, bytes: 1001 }, { records: 1, bytes: 2 }, CEILINGS)).toThrow('`bytes`');
  });

  it('allow nothing at 0, and let a Space that is over one go down', () => {
    const nothing = { records: 0, bytes: 0 };
    expect(() => checkCeilings({ records: 1, bytes: 0 }, { records: 1, bytes: 0 }, nothing)).toThrow(
      'may hold 0 records',
    );
    expect(() => checkCeilings({ records: 200, bytes: 5000 }, { records: 0, bytes: -10 }, CEILINGS)).not.toThrow();
  });

  it('are looked at exactly from nine tenths on, and wherever they are low', () => {
    const high = { records: 10_000_000, bytes: 10 ** 12 };
    expect(isFarBelow({ records: 5_000_000, bytes: 10 ** 11 }, high)).toBe(true);
    expect(isFarBelow({ records: 9_100_000, bytes: 10 ** 11 }, high)).toBe(false);
    expect(isFarBelow({ records: 0, bytes: 0 }, CEILINGS)).toBe(false);
  });
});
