import { decodeCursor, encodeCursor, idOfCursor, numberOfCursor } from './cursor';
import { newId } from './ids';

const raw = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const id = newId();

describe('a cursor', () => {
  it('gives back what its list put in', () => {
    expect(decodeCursor('rows', encodeCursor('rows', ['a', 1, null]))).toEqual(['a', 1, null]);
    expect(idOfCursor('rows', encodeCursor('rows', [id]))).toBe(id);
    expect(numberOfCursor('rows', encodeCursor('rows', [7]))).toBe(7);
    expect([idOfCursor('rows', undefined), numberOfCursor('rows', undefined)]).toEqual([null, null]);
  });

  it.each([
    ['of another list', encodeCursor('others', [id])],
    ['without a list', raw([id])],
    ['that is an empty list', raw([])],
    ['without a place', encodeCursor('rows', [])],
    ['with more than a place', encodeCursor('rows', [id, 1])],
    ['with something else', encodeCursor('rows', ['x'])],
    ['with a place that is none', encodeCursor('rows', [1.5])],
    ['with an object', raw(['rows', { id }])],
    ['that is no list', raw({ 0: 'rows' })],
    ['that is no JSON', 'nonsense'],
    ['of other characters', 'a b'],
    ['of no characters', ''],
    ['too long', encodeCursor('rows', ['x'.repeat(5000)])],
    ['with NUL', encodeCursor('rows', ['\u0000'])],
  ])('%s is refused', (_what, cursor) => {
    const refusal = expect.objectContaining({
      code: 'VALIDATION_ERROR',
      details: [expect.objectContaining({ path: 'cursor' })],
    }) as Error;
    expect(() => idOfCursor('rows', cursor)).toThrow(refusal);
    expect(() => numberOfCursor('rows', cursor)).toThrow(refusal);
  });
});
