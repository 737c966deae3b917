import { id, instant, oneOf, searchOf, text } from './search-params';

const ID = '0198c0de-0000-7000-8000-000000000001';
const read = searchOf({ q: text, kind: oneOf(['turn', 'job']), user: id, from: instant });

describe('what a page takes out of its URL', () => {
  it('is what its readers know', () => {
    const given = { q: 'trains', kind: 'job', user: ID, from: '2026-01-31T08:00:00.000Z' };
    expect(read({ ...given, other: 'x' })).toEqual(given);
  });

  it('is a text also where the router has read a number or JSON', () => {
    expect(read({ q: 7 })).toEqual({ q: '7' });
    expect(read({ q: { a: 1 } })).toEqual({ q: '{"a":1}' });
    expect(read({ q: '' })).toEqual({});
  });

  it.each([
    { kind: 'jobs' },
    { kind: ['job'] },
    { kind: { job: 1 } },
    { kind: null },
    { user: 'me' },
    { user: `${ID}0` },
    { user: { id: ID } },
    { from: 'yesterday' },
    { from: '2026-02-31' },
    { from: '2026-13-01T00:00:00Z' },
    { from: '2026-01-31T08:00:00' },
    { from: 1 },
    { from: [] },
  ])('is nothing where a link says %j', (given) => {
    const name = Object.keys(given)[0] as 'kind' | 'user' | 'from';
    expect(read(given)[name]).toBeUndefined();
  });
});
