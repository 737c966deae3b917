import { PAGE_BYTES, encodeCursor, newId } from '@switchyard/kernel';
import { listById, listByNumber, listByTime } from './cursor-list';

const byTime = listByTime('rows', (row: { id: string; at: string }) => row);
const rows = Array.from({ length: 3 }, (_, i) => ({ id: newId(), at: `2026-01-0${3 - i}T00:00:00.000Z` }));

describe('a page of a list', () => {
  it('ends with a cursor while there is more, and the next page begins behind its last row', () => {
    const page = byTime.pageOf(rows, byTime.windowOf({ limit: 2 }), ({ id }) => id);
    expect(page.items).toEqual([rows[0]?.id, rows[1]?.id]);
    expect(byTime.windowOf({ limit: 2, cursor: page.nextCursor ?? '' }).after).toEqual(rows[1]);
  });

  it('ends without a cursor when the list ends with it', () => {
    expect(byTime.pageOf(rows, byTime.windowOf({ limit: 3 })).nextCursor).toBeNull();
    expect(byTime.pageOf([], byTime.windowOf({}))).toEqual({ items: [], nextCursor: null });
  });

  it('asks for one row more than it shows', () => {
    expect(byTime.windowOf({}).take).toBe(21);
    expect(byTime.windowOf({ limit: 100 }).take).toBe(101);
  });

  it('ends behind the last row whose view fits into an answer, with at least one', () => {
    const list = listById('rows');
    const text = 'x'.repeat(PAGE_BYTES / 2 + 1);
    const page = list.pageOf(rows, list.windowOf({}), ({ id }) => ({ id, text }));
    expect(page.items.map(({ id }) => id)).toEqual([rows[0]?.id]);
    expect(list.windowOf({ cursor: page.nextCursor ?? '' }).after).toBe(rows[0]?.id);
  });

  it('goes on where rows were left out for their weight', () => {
    const list = listByNumber('counted', ({ n }: { n: number }) => n);
    const page = list.pageOf([{ n: 7 }], list.windowOf({ limit: 3 }), undefined, 2);
    expect(list.windowOf({ cursor: page.nextCursor ?? '' }).after).toBe(7);
  });

  it.each([[['x', newId()]], [['2026-01-01T00:00:00.000Z', 'x']], [[1, 2]], [[]], [[rows[0]?.at ?? '', newId(), 1]]])(
    'refuses the cursor %p of a list by time',
    (parts) => {
      expect(() => byTime.windowOf({ cursor: encodeCursor('rows', parts) })).toThrow(
        expect.objectContaining({ code: 'VALIDATION_ERROR' }),
      );
    },
  );

  it.each([[['x']], [[1]], [[]], [[newId(), newId()]]])('refuses the cursor %p of a list by id', (parts) => {
    expect(() => listById('rows').windowOf({ cursor: encodeCursor('rows', parts) })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    );
  });

  it.each([[[-1]], [[1.5]], [['1']], [[]], [[1, 2]]])('refuses the cursor %p of a counted list', (parts) => {
    const list = listByNumber('rows', ({ n }: { n: number }) => n);
    expect(() => list.windowOf({ cursor: encodeCursor('rows', parts) })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    );
  });

  it('refuses the cursor of another list', () => {
    const cursor = encodeCursor('others', [newId()]);
    expect(() => listById('rows').windowOf({ cursor })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });
});
