import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { countWithin } from './count-tokens-within';
import { tokenPieces } from './split-for-tokenizer';

const count = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });
const never = (): boolean => false;

describe('counting tokens', () => {
  it('counts a short text as the tokenizer does', () => {
    expect(countWithin('Hello world', count, never)).toBe(2);
    expect(countWithin('', count, never)).toBe(0);
  });

  it('takes special tokens for the text that they are', () => {
    expect(countWithin('<|endoftext|>', count, never)).toBeGreaterThan(1);
  });

  it('gives the tokenizer no run of one kind that is longer than 128 characters', () => {
    const longest: number[] = [];
    const watch = (text: string): number => {
      longest.push(...(text.match(/\p{L}+|[^\s\p{L}\p{N}]+|\s+/gu) ?? []).map((run) => run.length));
      return 1;
    };
    for (const character of ['a', '\u4f60', '!', ' ', '\n', '\u0301'])
      countWithin(character.repeat(50_000), watch, never);
    countWithin(`words before ${'x'.repeat(20_000)} and behind`, watch, never);
    expect(Math.max(...longest)).toBeLessThan(256);
  });

  it('is near the exact count for long texts of words', () => {
    const text = 'one two three four '.repeat(3_000);
    expect(Math.abs(countWithin(text, count, never) / count(text) - 1)).toBeLessThan(0.01);
  });

  it('counts the bytes of the rest when the time is up', () => {
    let looks = 0;
    const text = 'é'.repeat(10_000);
    expect(
      countWithin(
        text,
        () => 7,
        () => (looks += 1) > 1,
      ),
    ).toBe(7 * 32 + 2 * (10_000 - 4096));
  });

  it('cuts texts into pieces of so many bytes and keeps which is whose', () => {
    const texts = ['short', 'x'.repeat(250), '', '\u4f60'.repeat(100), 'end'];
    const pieces = [...tokenPieces(texts, 100)];
    for (const piece of pieces)
      expect(piece.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)).toBeLessThanOrEqual(100);
    const joined = texts.map(() => '');
    for (const { index, text } of pieces.flat()) joined[index] = `${joined[index] ?? ''}${text}`;
    expect(joined).toEqual(texts);
  });
});
