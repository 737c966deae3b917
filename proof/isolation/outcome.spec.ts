import { isOurFault, grewTooMuch, p95, slowed, slowerOf } from './outcome';

const same = (ms: number): Parameters<typeof slowed>[0] => ({
  chat: ms,
  query: ms,
  'event to run': ms,
  'model call': ms,
  'MCP call': ms,
});

describe('what an attack did to its neighbour', () => {
  it('is measured by the time within which 95 of 100 operations ended', () => {
    expect(p95(Array.from({ length: 100 }, (_, ms) => 100 - ms))).toBe(95);
    expect(p95([7])).toBe(7);
    expect(p95([])).toBeUndefined();
  });

  it('is nothing while times stay below ten times the quiet ones, and the quiet ones count at least 20 ms', () => {
    expect(slowed(same(30), same(290))).toEqual([]);
    expect(slowed(same(3), same(199))).toEqual([]);
  });

  it('is named where an operation took ten times as long, longer than a second, or never ended', () => {
    expect(slowed(same(30), { ...same(30), query: 301 })).toEqual(['query: p95 of 301 ms, may be 300 ms']);
    const slow = { ...same(400), chat: 1_001, 'event to run': 3_900 };
    expect(slowed(same(400), slow)).toEqual(['chat: p95 of 1001 ms, may be 1000 ms']);
    expect(slowed(same(30), { ...same(30), chat: undefined })).toEqual(['no chat of the victim came to an end']);
  });

  it('is compared with the slower one of the quiet times before and after it', () => {
    const before = { ...same(60), chat: undefined };
    const after = { ...same(40), query: 90 };
    expect(slowerOf(before, after)).toEqual({ ...same(60), chat: 40, query: 90 });
    expect(slowerOf({}, {})).toEqual({});
  });

  it('includes memory that does not come back', () => {
    expect(grewTooMuch({ agent: 100, relay: 101, task: -5 })).toEqual(['relay keeps 101 MiB']);
  });

  it('tells refusals from our own faults', () => {
    expect([200, 0, 413, 429, 503, 500, 502, 504].filter(isOurFault)).toEqual([500, 502, 504]);
  });
});
