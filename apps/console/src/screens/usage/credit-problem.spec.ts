import { CREDIT_RANGE, creditProblem } from './credit-problem';

describe('a number of tokens to credit', () => {
  it.each([1, -1, 5_000_000, 1_000_000_000_000, -1_000_000_000_000])('is fine as %d', (tokens) => {
    expect(creditProblem(tokens)).toBeUndefined();
  });

  it.each([
    [null, 'Enter a number'],
    [0, 'negative number to reduce'],
    [-0, 'negative number to reduce'],
    [1.5, 'without a fraction'],
    [-0.1, 'without a fraction'],
    [1_000_000_000_001, 'at most 1,000,000,000,000'],
    [-1e20, 'at most 1,000,000,000,000'],
    [Number.POSITIVE_INFINITY, 'whole tokens'],
  ])('is refused as %p with what is allowed', (tokens, says) => {
    expect(creditProblem(tokens)).toContain(says);
  });

  it('may be what the form says before', () => {
    expect(CREDIT_RANGE).toBe('A whole number from -1,000,000,000,000 to 1,000,000,000,000, other than 0.');
  });
});
