import { LIST_VALUE_BYTES, fieldsToLink, linkedField, shortValue } from './truncate-large-values';

describe('long values', () => {
  it('stay in the rows of a list up to the limit and are omitted above it', () => {
    const fits = { text: 'x'.repeat(LIST_VALUE_BYTES - 11) };
    const over = { text: 'x'.repeat(LIST_VALUE_BYTES - 10) };
    expect(shortValue(fits)).toBe(fits);
    expect(shortValue(over)).toEqual({ truncated: true, bytes: LIST_VALUE_BYTES + 1 });
    expect(shortValue(null)).toBeNull();
  });

  it('are linked in a single record, the longest first, until the rest fits', () => {
    const sizes = [
      { field: 'inputs', bytes: 40_000 },
      { field: 'steps.a.output', bytes: 90_000 },
      { field: 'steps.b.output', bytes: 60_000 },
    ];
    expect([...fieldsToLink(sizes, 200_000)]).toEqual([]);
    expect([...fieldsToLink(sizes, 100_000)]).toEqual(['steps.a.output']);
    expect([...fieldsToLink(sizes, 50_000)]).toEqual(['steps.a.output', 'steps.b.output']);
  });

  it('never link short fields, however many there are', () => {
    const sizes = Array.from({ length: 100 }, (_, index) => ({ field: `f${index}`, bytes: 10_000 }));
    expect(fieldsToLink(sizes, 1).size).toBe(0);
  });

  it('are linked to the content of their record', () => {
    expect(linkedField('/api/events/envelopes/1', { field: 'a b', bytes: 3 })).toEqual({
      truncated: true,
      bytes: 3,
      content: '/api/events/envelopes/1/content?field=a%20b',
    });
  });
});
