import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApartServices, shownTime } from './apart-services';

const HOUR_MS = 60 * 60 * 1000;
const START = Date.parse('2026-11-30T01:50:30.000Z');
const TASKS = { name: 'event-bus+task', services: ['event-bus', 'task'] as const };
const AGENTS = { name: 'session+agent', services: ['session', 'agent'] as const };

describe('services whose process has ended by itself', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'apart-'));
  const file = path.join(directory, 'services-apart.json');
  let now = START;
  const apart = (): ApartServices => new ApartServices(file, () => now);

  beforeEach(() => {
    now = START;
    rmSync(file, { force: true });
  });
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  it('have processes of their own for a day, also after a start of the platform', () => {
    expect(shownTime(apart().add(TASKS.services))).toBe('2026-12-01 01:50 UTC');
    now = START + 24 * HOUR_MS - 1;
    expect(apart().untilFor(TASKS)).toEqual(new Date(START + 24 * HOUR_MS));
    expect(apart().untilFor(AGENTS)).toBeUndefined();
    now += 1;
    expect(apart().untilFor(TASKS)).toBeUndefined();
  });

  it('are apart for a day from the latest end of one of them', () => {
    apart().add(TASKS.services);
    now = START + 23 * HOUR_MS;
    apart().add(['task']);
    apart().add(['agent']);
    now = START + 30 * HOUR_MS;
    expect(apart().untilFor(TASKS)).toEqual(new Date(START + 47 * HOUR_MS));
    expect(apart().untilFor(AGENTS)).toBeDefined();
  });

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['cut off', '{"task":"2026-11-30T'],
    ['no list of services', 'null'],
    ['of other values', '{"task":["2026-11-30T02:00:00.000Z"],"event-bus":1796000000000}'],
    ['of texts that are no time', '{"task":"tomorrow"}'],
    ['of times that are too far away', '{"task":"2036-11-30T02:00:00.000Z"}'],
  ])('share a process if the file is %s', (_, text) => {
    if (text !== undefined) writeFileSync(file, text);
    expect(apart().untilFor(TASKS)).toBeUndefined();
    apart().add(['task']);
    expect(apart().untilFor(TASKS)).toBeDefined();
  });

  it('do not end the launcher if the file cannot be written', () => {
    const missing = path.join(directory, 'missing/services-apart.json');
    expect(new ApartServices(missing, () => now).add(['task'])).toEqual(new Date(START + 24 * HOUR_MS));
    expect(existsSync(missing)).toBe(false);
  });
});
