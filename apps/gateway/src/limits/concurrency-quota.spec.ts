import { AppError } from '@switchyard/kernel';
import { ConcurrencyQuota } from './concurrency-quota';

const refusal = (message: string) => (): AppError => new AppError('RATE_LIMITED', message);

describe('counted places', () => {
  it('says of each bound what the owner has that has most, and how many were refused', () => {
    const slots = new ConcurrencyQuota(
      { name: 'key', most: 2, refusal: refusal('key') },
      { name: 'space', most: 3, refusal: refusal('space') },
    );
    const leave = slots.take('a', 'one');
    slots.take('a', 'one');
    expect(() => slots.take('a', 'one')).toThrow('key');
    slots.take('b', 'one');
    expect(() => slots.take('b', 'one')).toThrow('space');
    slots.take('c', 'two');
    expect(slots.usage).toEqual([
      { bound: 'key', used: 2, limit: 2, refused: 1 },
      { bound: 'space', used: 3, limit: 3, refused: 1 },
    ]);
    leave();
    leave();
    expect(slots.usage.map(({ used }) => used)).toEqual([1, 2]);
  });
});
