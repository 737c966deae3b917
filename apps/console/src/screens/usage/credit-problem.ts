import { number } from '../../ui/format';

const LIMIT = 1_000_000_000_000;

export const CREDIT_RANGE = `A whole number from ${number(-LIMIT)} to ${number(LIMIT)}, other than 0.`;

/** Why so many tokens are no credit. */
export function creditProblem(tokens: number | null): string | undefined {
  if (tokens === null) return 'Enter a number of tokens.';
  if (tokens === 0) return '0 tokens change nothing: enter more, or a negative number to reduce the balance.';
  if (!Number.isInteger(tokens)) return 'Enter whole tokens, without a fraction.';
  if (Math.abs(tokens) > LIMIT) return `Enter at most ${number(LIMIT)} tokens at once, in either direction.`;
  return undefined;
}
