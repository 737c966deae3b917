import { fullFormats } from 'ajv-formats/dist/formats';
import { isDateTime } from './date-time';

const { validate } = fullFormats['date-time'] as { validate: (text: string) => boolean };
const pairs = (values: readonly number[]): string[] => values.map((value) => String(value).padStart(2, '0'));
const upTo = (most: number): number[] => Array.from({ length: most + 1 }, (_, value) => value);

describe('the format date-time', () => {
  it('accepts the times that both RFC 3339 and Date can read, for each day and each hour', () => {
    const days = ['2024', '2025', '1900'].flatMap((year) =>
      pairs(upTo(13)).flatMap((month) => pairs(upTo(32)).map((day) => `${year}-${month}-${day}T00:00:00.000Z`)),
    );
    const hours = pairs(upTo(25)).flatMap((hour) =>
      pairs([0, 59, 60]).flatMap((minute) => pairs([0, 59, 60, 61]).map((s) => `2025-03-31T${hour}:${minute}:${s}Z`)),
    );
    const odd = ['Z', '.Z', '.1Z', '.1234567890Z', '+00:00', '+02', '-14:59', 'z', '', '+24:00', ' Z', 'Z\n'].map(
      (end) => `2025-03-31T12:00:00${end}`,
    );
    const others = ['', 'today', '2025-03-31', '2025-03-31 12:00:00Z', '2025-03-31t12:00:00z', '25-03-31T12:00:00Z'];
    for (const text of [...days, ...hours, ...odd, ...others])
      expect([text, isDateTime(text)]).toEqual([text, validate(text) && Number.isFinite(Date.parse(text))]);
    expect(isDateTime('2024-02-29T00:00:00.000Z')).toBe(true);
    expect(isDateTime('2025-02-29T00:00:00.000Z')).toBe(false);
  });

  it.each([
    '0000-01-01T00:00:00.000Z',
    '2016-12-31T23:59:60Z',
    '2026-11-26T00:00:00+16:00',
    '2026-11-26T00:00:00-23:59',
    '2026-01-01T00:00:00+01',
  ])('refuses %s, which no database or no Date reads', (text) => {
    expect(isDateTime(text)).toBe(false);
  });

  it.each(['2026-11-26T00:00:00+15:59', '2026-11-26T00:00:00-12:00', '2026-11-26T00:00:00.123456789Z'])(
    'takes %s',
    (text) => {
      expect(isDateTime(text)).toBe(true);
    },
  );
});
