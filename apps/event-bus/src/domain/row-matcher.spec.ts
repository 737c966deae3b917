import { type RowRules, rowMatcher } from './row-matcher';

const judge = (rules: Partial<RowRules>) =>
  rowMatcher({ filter: undefined, types: null, check: () => [], maxBytes: 100, ...rules });
const broken = () => {
  throw new TypeError('Cannot convert object to primitive value');
};

describe('a row of a watched dataset', () => {
  it('is an event where the filter accepts it, whether it fits or not', () => {
    const check = () => [{ path: 'payload.n', message: 'must be a number' }];
    expect(judge({ filter: { n: 1 } })({ n: 2 })).toEqual({ isMatch: false });
    expect(judge({ filter: { n: 1 } })({ n: 1 })).toEqual({ isMatch: true, error: null });
    expect(judge({ check })({ n: 1 })).toMatchObject({
      error: { code: 'EVENT_PAYLOAD_INVALID', message: 'payload.n must be a number.' },
    });
    expect(judge({ maxBytes: 5 })({ n: 1000 })).toMatchObject({ error: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  it('is filtered by what the fields of its dataset mean', () => {
    const filter = { total: { gt: '9' } };
    expect(judge({ filter, types: { total: 'decimal' } })({ total: '10.50' }).isMatch).toBe(true);
    expect(judge({ filter })({ total: '10.50' }).isMatch).toBe(false);
  });

  it.each([
    ['check', { check: broken }],
    ['filter', { filter: { n: { near: 1 } } }],
  ])('is recorded as failed where its %s breaks down, and stops nothing', (_what, rules) => {
    expect(judge(rules)({ n: 1 })).toMatchObject({
      isMatch: true,
      error: { code: 'SERVER_ERROR' },
      cause: expect.any(Error) as Error,
    });
  });
});
