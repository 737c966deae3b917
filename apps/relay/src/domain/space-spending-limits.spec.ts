import { type EffectiveSettings, NO_CEILINGS } from '@switchyard/contracts';
import { termsOf } from './space-spending-limits';

const DEFAULTS = { REQUEST_TOKEN_CAP: 100, DAILY_TOKEN_CAP: 0, INITIAL_SPACE_TOKENS: 7 };
const SETTINGS: EffectiveSettings = {
  dailyTokenCap: null,
  requestTokenCap: null,
  minimumBalance: null,
  taskConcurrency: null,
  jobConcurrency: null,
  approvals: [],
  ceilings: NO_CEILINGS,
  payer: { kind: 'space', id: 'space' },
  status: 'ACTIVE',
  suspendedReason: null,
  suspendedAt: null,
  unmetered: false,
  startingTokens: null,
};

describe('the terms of a Space', () => {
  it.each([
    ['the setting where there is no ceiling', 10, null, 10],
    ['the ceiling where there is no setting', null, 5, 5],
    ['the smaller one of both', 10, 5, 5],
    ['the setting below its ceiling', 3, 5, 3],
    ['a ceiling of 0', 3, 0, 0],
    ['no cap where neither is set', null, null, null],
  ])('take %s for the day', (_, dailyTokenCap, dailyTokens, expected) => {
    const terms = termsOf({ ...SETTINGS, dailyTokenCap, ceilings: { ...NO_CEILINGS, dailyTokens } }, DEFAULTS);
    expect(terms.dailyTokenCap).toBe(expected);
  });

  it('start with the tokens of the record, and in a Space of before with those of the configuration', () => {
    expect(termsOf({ ...SETTINGS, startingTokens: 0 }, DEFAULTS).startingTokens).toBe(0);
    expect(termsOf({ ...SETTINGS, startingTokens: null }, DEFAULTS).startingTokens).toBe(7);
  });

  it('say why a Space is suspended, while it is', () => {
    expect(termsOf({ ...SETTINGS, status: 'SUSPENDED', suspendedReason: 'unpaid' }, DEFAULTS).suspendedReason).toBe(
      'unpaid',
    );
    expect(termsOf({ ...SETTINGS, status: 'ACTIVE', suspendedReason: null }, DEFAULTS).suspendedReason).toBeNull();
  });
});
