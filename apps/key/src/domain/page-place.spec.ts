import { encodeCursor, newId } from '@switchyard/kernel';
import { pageOfRows, pageQuery } from './page-place';

const rows = Array.from({ length: 3 }, (_, i) => ({ id: newId(), at: `2026-01-0${3 - i}T00:00:00.000Z` }));
const place = (row: { id: string; at: string }): { id: string; at: string } => row;

describe('a page', () => {
  it('ends with a cursor while there is more, and the cursor names its last row', () => {
    const first = pageOfRows('rows', rows, { limit: 2 }, place, (row) => row.id);
    expect(first.items).toEqual([rows[0]?.id, rows[1]?.id]);
    expect(pageQuery('rows', { limit: 2, cursor: first.nextCursor ?? '' }).below).toEqual(rows[1]);
  });

  it('ends without one when the list ends with it', () => {
    expect(pageOfRows('rows', rows, { limit: 3 }, place, (row) => row.id).nextCursor).toBeNull();
    expect(pageOfRows('rows', [], {}, place, () => 0)).toEqual({ items: [], nextCursor: null });
  });

  it('asks for one row more than it shows', () => {
    expect(pageQuery('rows', {}).limit).toBe(21);
    expect(pageQuery('rows', { limit: 100 }).limit).toBe(101);
  });

  it.each([[['x', newId()]], [['2026-01-01T00:00:00.000Z', 'x']], [[1, 2]], [[]]])('refuses the cursor %p', (parts) => {
    expect(() => pageQuery('rows', { cursor: encodeCursor('rows', parts) })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    );
  });
});
