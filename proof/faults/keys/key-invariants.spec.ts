import { type KeysFound, keyViolations } from './key-invariants';

const at = Date.parse('2026-01-01T00:00:00.000Z');

const sound: KeysFound = {
  outcomes: [
    { id: 'a', end: 'COMPLETED' },
    { id: 'b', end: 'DAILY_LIMIT_EXCEEDED' },
    { id: 'c', end: 'FAILED' },
    { id: 'd', end: 'FAILED RUNTIME_UNAVAILABLE' },
  ],
  frugal: { name: 'frugal', limit: 400, used: 410, reserved: 0, charged: 410, largestCall: 20 },
  debits: new Map([['a', 1]]),
  letIn: [at, at + 1, at + 2, at + 3, at + 4, at + 5],
  received: { RATE_LIMITED: 9, SERVICE_UNAVAILABLE: 1, 'no answer': 1 },
  recounts: 0,
};

const brokenBy = (changes: Partial<KeysFound>): string[] =>
  keyViolations({ ...sound, ...changes }).map(({ rule, detail }) => `${rule}: ${detail}`);

describe('the rules for keys with limits', () => {
  it('hold for a run in which nothing went wrong', () => {
    expect(brokenBy({})).toEqual([]);
    const letIn = [...sound.letIn, at + 6];
    expect(brokenBy({ letIn, recounts: 1 })).toEqual([]);
    expect(brokenBy({ letIn: [...sound.letIn, at + 60_000] })).toEqual([]);
  });

  it.each<[string, Partial<KeysFound>]>([
    [
      'a key that is charged more than one call over its limit',
      { frugal: { ...sound.frugal, used: 430, charged: 430 } },
    ],
    ['a key that holds tokens', { frugal: { ...sound.frugal, reserved: 5 } }],
    ['a key that is charged otherwise than the ledger', { frugal: { ...sound.frugal, used: 390 } }],
    ['a turn that is done and was not paid', { debits: new Map() }],
    [
      'a turn that was refused and paid',
      {
        debits: new Map([
          ['a', 1],
          ['b', 1],
        ]),
      },
    ],
    ['a refusal for something else', { outcomes: [{ id: 'x', end: 'FORBIDDEN' }] }],
    ['a caller that was never told', { outcomes: [{ id: 'x', end: null }] }],
    ['more requests in a minute than the key may make', { letIn: [...sound.letIn, at + 6] }],
    ['a key that is told something else', { received: { UNAUTHORIZED: 1 } }],
  ])('find %s', (_, changes) => {
    expect(brokenBy(changes).length).toBeGreaterThan(0);
  });
});
