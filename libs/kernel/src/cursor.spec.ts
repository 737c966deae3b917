import { decodeCursor, encodeCursor } from './cursor';
import { newId } from './ids';

const raw = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const id = newId();

describe('a cursor', () => {
  it('decodes the parts that its list encoded', () => {
    expect(decodeCursor('rows', encodeCursor('rows', ['a', 1, null]))).toEqual(['a', 1, null]);
  });

  it.each([
    ['of another list', encodeCursor('others', [id])],
    ['without a list', raw([id])],
    ['that is an empty list', raw([])],
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
    expect(() => decodeCursor('rows', cursor)).toThrow(refusal);
  });
});
