import { fitPage } from './page-byte-limit';

const row = (id: number, bytes: number): { id: number; text: string } => ({ id, text: 'x'.repeat(bytes) });
const cursorOf = ({ id }: { id: number }): string => `after-${id}`;

describe('a page of a list', () => {
  it('is returned as it is when it fits its budget', () => {
    const page = { items: [row(1, 10), row(2, 10)], nextCursor: 'next' };
    expect(fitPage(page, cursorOf, 1000)).toBe(page);
  });

  it('is cut after the last row that fits, and goes on behind it', () => {
    const page = { items: [row(1, 400), row(2, 400), row(3, 400)], nextCursor: null };
    expect(fitPage(page, cursorOf, 1000)).toEqual({ items: page.items.slice(0, 2), nextCursor: 'after-2' });
  });

  it('holds one row at least', () => {
    const page = { items: [row(1, 5000), row(2, 1)], nextCursor: null };
    expect(fitPage(page, cursorOf, 1000)).toEqual({ items: [page.items[0]], nextCursor: 'after-1' });
    const single = { items: [row(1, 5000)], nextCursor: null };
    expect(fitPage(single, cursorOf, 1000)).toBe(single);
  });
});
