import { isoTime } from './row-parsing';

describe('a time of the database', () => {
  it('is the same moment in ISO 8601, with milliseconds that are cut, never rounded', () => {
    expect(isoTime('2026-11-22 16:22:23+00')).toBe('2026-11-22T16:22:23.000Z');
    expect(isoTime('2026-11-22 16:22:23.5+00')).toBe('2026-11-22T16:22:23.500Z');
    expect(isoTime('2026-11-22 16:22:23.05+00')).toBe('2026-11-22T16:22:23.050Z');
    expect(isoTime('2026-11-22 16:22:23.123999+00')).toBe('2026-11-22T16:22:23.123Z');
    for (const text of [
      '2026-11-22 16:22:23+00',
      '2024-02-29 00:00:00.999999+00',
      '0999-01-01 00:00:00.1+00',
      '2026-01-31 23:59:59.12+00',
    ])
      expect(isoTime(text)).toBe(new Date(text).toISOString());
  });

  it('is read in any zone that the server writes', () => {
    expect(isoTime('2026-11-22 16:22:23.123456+02')).toBe('2026-11-22T14:22:23.123Z');
    expect(isoTime('2026-11-22 16:22:23+05:30')).toBe('2026-11-22T10:52:23.000Z');
  });
});
