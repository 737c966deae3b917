import { AppError } from '@switchyard/kernel';
import { CountedPlaces } from './counted-places';

const refusal = (message: string) => (): AppError => new AppError('RATE_LIMITED', message);

describe('counted places', () => {
  it('says of each bound what the owner has that has most, and how many were refused', () => {
    const places = new CountedPlaces(
      { name: 'key', most: 2, refusal: refusal('key') },
      { name: 'space', most: 3, refusal: refusal('space') },
    );
    const leave = places.take('a', 'one');
    places.take('a', 'one');
    expect(() => places.take('a', 'one')).toThrow('key');
    places.take('b', 'one');
    expect(() => places.take('b', 'one')).toThrow('space');
    places.take('c', 'two');
    expect(places.usage).toEqual([
      { bound: 'key', used: 2, limit: 2, refused: 1 },
      { bound: 'space', used: 3, limit: 3, refused: 1 },
    ]);
    leave();
    leave();
    expect(places.usage.map(({ used }) => used)).toEqual([1, 2]);
  });
});
