import {
  type Caps,
  ampleTokens,
  hasHeadroom,
  isRefusedForPreleased,
  nextMidnight,
  refusalOf,
  refuse,
  preleasedTokens,
} from './budget-check';

const none = { monthlyTokenCap: null, isUnmetered: false };
const caps: Caps = { ...none, requestTokenCap: 100, minimumBalance: 50, dailyTokenCap: 1000 };
const account = { balance: 500, reserved: 0, ahead: 0, dailyUsed: 0, monthlyUsed: 0 };

describe('admission', () => {
  it.each([
    ['lets a call in', {}, {}, 10, null],
    [
      'lets the last call in while one token is free',
      { minimumBalance: null },
      { balance: 500, reserved: 499 },
      10,
      null,
    ],
    [
      'asks for the request cap first',
      { minimumBalance: 600 },
      { balance: 0, dailyUsed: 5000 },
      101,
      'REQUEST_TOO_LARGE',
    ],
    ['lets a request of exactly the cap in', {}, {}, 100, null],
    ['then for the balance', {}, { balance: 0, dailyUsed: 5000 }, 10, 'INSUFFICIENT_TOKENS'],
    ['counts what is reserved as spent', {}, { reserved: 500 }, 10, 'INSUFFICIENT_TOKENS'],
    ['then for the minimum', {}, { balance: 49, dailyUsed: 5000 }, 10, 'BELOW_MINIMUM_BALANCE'],
    ['lets a balance of exactly the minimum in', {}, { balance: 50 }, 10, null],
    ['counts what is reserved against the minimum', {}, { balance: 60, reserved: 11 }, 10, 'BELOW_MINIMUM_BALANCE'],
    ['counts what is preleased against it', {}, { balance: 60, ahead: 11 }, 10, 'BELOW_MINIMUM_BALANCE'],
    ['lets the call in that passes the minimum', {}, { balance: 60, reserved: 10 }, 10, null],
    ['then for the day', {}, { dailyUsed: 1000 }, 10, 'DAILY_LIMIT_EXCEEDED'],
    ['counts running calls against the day', {}, { dailyUsed: 600, reserved: 400 }, 10, 'DAILY_LIMIT_EXCEEDED'],
    ['then for the month', { monthlyTokenCap: 5000 }, { monthlyUsed: 5000 }, 10, 'MONTHLY_LIMIT_EXCEEDED'],
    ['counts running calls against the month', { monthlyTokenCap: 70 }, { reserved: 70 }, 10, 'MONTHLY_LIMIT_EXCEEDED'],
    ['allows nothing with a cap of 0', { monthlyTokenCap: 0 }, {}, 10, 'MONTHLY_LIMIT_EXCEEDED'],
    ['does not ask for the balance of an unmetered Space', { isUnmetered: true }, { balance: -5 }, 10, null],
    ['holds an unmetered Space to its day', { isUnmetered: true }, { dailyUsed: 1000 }, 10, 'DAILY_LIMIT_EXCEEDED'],
    [
      'knows Spaces without limits',
      { minimumBalance: null, dailyTokenCap: null },
      { balance: 1, dailyUsed: 99999 },
      10,
      null,
    ],
  ])('%s', (_, capChange, accountChange, countedTokens, expected) => {
    expect(refusalOf({ ...caps, ...capChange }, { ...account, ...accountChange }, { countedTokens })).toBe(expected);
  });

  it('says how long it is to midnight UTC', () => {
    const now = new Date('2026-03-01T23:59:30.000Z');
    expect(nextMidnight(now).toISOString()).toBe('2026-03-02T00:00:00.000Z');
    expect(refuse('DAILY_LIMIT_EXCEEDED', now)).toMatchObject({ status: 429, retryAfterSeconds: 30 });
  });

  it.each([
    ['there is room for two hundred of them', {}, {}, 10, true],
    ['the balance would do for fewer', {}, { reserved: 99_000 - 1_990 }, 10, false],
    ['fewer would bring it to the minimum', { minimumBalance: 97_500 }, {}, 10, false],
    ['fewer would fill the day', { dailyTokenCap: 3_000 }, { dailyUsed: 1_100 }, 10, false],
    ['the Space has no limits', { minimumBalance: null, dailyTokenCap: null }, {}, 10, true],
    ['fewer would fill the month', { monthlyTokenCap: 3_000 }, { monthlyUsed: 1_100 }, 10, false],
    ['an unmetered Space has no balance left', { isUnmetered: true }, { balance: 0 }, 10, true],
    ['a call of no tokens meets an empty account', {}, { balance: 100 }, 0, false],
  ])('leaves no doubt or some: %s', (_, otherCaps, otherAccount, tokens, expected) => {
    const rich: Caps = { ...none, requestTokenCap: 100, minimumBalance: 50, dailyTokenCap: 100_000 };
    const full = { balance: 99_000, reserved: 0, ahead: 0, dailyUsed: 0, monthlyUsed: 0 };
    expect(hasHeadroom({ ...rich, ...otherCaps }, { ...full, ...otherAccount }, tokens)).toBe(expected);
  });

  it('says how large a call may be that leaves no doubt', () => {
    const open: Caps = { ...none, requestTokenCap: 100, minimumBalance: null, dailyTokenCap: null };
    const of = (change: object, accountChange: object): number =>
      ampleTokens(
        { ...open, ...change },
        { balance: 100_001, reserved: 0, ahead: 0, dailyUsed: 0, monthlyUsed: 0, ...accountChange },
      );
    expect([of({}, {}), of({}, { reserved: 1 }), of({}, { reserved: 200_000 })]).toEqual([500, 499, 0]);
    expect([of({ minimumBalance: 80_001 }, {}), of({ minimumBalance: 200_000 }, {})]).toEqual([100, 0]);
    expect([of({ dailyTokenCap: 3_001 }, { dailyUsed: 500, reserved: 500 })]).toEqual([10]);
    for (const tokens of [499, 500, 501])
      expect(hasHeadroom(open, { balance: 100_001, reserved: 0, ahead: 0, dailyUsed: 0, monthlyUsed: 0 }, tokens)).toBe(
        tokens <= 500,
      );
  });

  it('says what to hold for calls to come: some dozens, and a part of what is free', () => {
    const open: Caps = { ...none, requestTokenCap: 100, minimumBalance: null, dailyTokenCap: null };
    const of = (tokens: number, own: number, change: object = {}): number =>
      preleasedTokens(
        open,
        { balance: 100_001, reserved: 0, ahead: own, dailyUsed: 0, monthlyUsed: 0, ...change },
        tokens,
        own,
      );
    expect([of(10, 0), of(500, 0), of(501, 0), of(501, 900)]).toEqual([640, 25_000, 0, 0]);
    // Tokens preleased by others are not available, its own are.
    expect([of(400, 0, { ahead: 80_000 }), of(400, 9_000, { ahead: 89_000 })]).toEqual([5_000, 9_000]);
    // While it is about right it stays as it is.
    expect([of(10, 319), of(10, 320), of(10, 1_280), of(10, 1_281)]).toEqual([640, 320, 1_280, 640]);
  });

  it('tells a call that is refused for what is held for calls to come from one that is refused at all', () => {
    const of = (change: object): boolean => isRefusedForPreleased(caps, { ...account, ...change });
    expect([of({}), of({ ahead: 500 }), of({ ahead: 450 })]).toEqual([false, true, false]);
    expect([of({ balance: 60, ahead: 11 }), of({ balance: 49, ahead: 11 })]).toEqual([true, false]);
    expect([of({ balance: 0, ahead: 500 }), of({ dailyUsed: 600, ahead: 400 })]).toEqual([false, true]);
  });
});
