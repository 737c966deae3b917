import { changedLimits, limitsBeyond } from './key-limits';

describe('the limits of a key', () => {
  it('change field by field: a value sets, null removes, the rest stays', () => {
    const before = { dailyTokens: 10, models: ['a'], requestsPerMinute: 5 };
    expect(changedLimits(before, { dailyTokens: null, monthlyTokens: 0, agents: ['x', 'x'] })).toEqual({
      monthlyTokens: 0,
      requestsPerMinute: 5,
      models: ['a'],
      agents: ['x'],
    });
    expect(changedLimits(before, undefined)).toEqual(before);
  });

  it.each([
    ['no limits of its own', {}, { dailyTokens: 5 }, []],
    ['the same', { dailyTokens: 5, models: ['a'] }, { dailyTokens: 5, models: ['a'] }, []],
    ['more tokens', { dailyTokens: 5 }, { dailyTokens: 6 }, ['dailyTokens']],
    ['a limit removed', { monthlyTokens: 5 }, {}, ['monthlyTokens']],
    ['0 is a limit', { requestsPerMinute: 0 }, { requestsPerMinute: 1 }, ['requestsPerMinute']],
    ['fewer models', { models: ['a', 'b'] }, { models: ['b'] }, []],
    ['no models of none', { models: [] }, { models: [] }, []],
    ['another model', { models: ['a'] }, { models: ['a', 'b'] }, ['models']],
    ['all agents', { agents: ['a'] }, {}, ['agents']],
  ])('are compared with those of the key that gives them: %s', (_, leased, expected, beyond) => {
    expect(limitsBeyond(leased, expected)).toEqual(beyond);
  });
});
