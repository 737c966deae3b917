import { estimateTokens } from './token-estimate';

describe('estimateTokens', () => {
  it('counts four Latin characters as one token', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('a')).toBe(1);
    expect(estimateTokens('word '.repeat(100))).toBe(125);
  });

  it('counts other writing letter by letter', () => {
    expect(estimateTokens('日本語の文章')).toBe(6);
  });

  it('takes a sample of what is very long', () => {
    expect(estimateTokens('abcd'.repeat(250_000))).toBe(250_000);
  });
});
