import { compileNow, moduleMaker } from './compile-validators';

const fits = (schema: object, value: string): boolean => compileNow({ type: 'string', ...schema })(value);

describe('the length of a text', () => {
  it.each([
    ['ab', 2, 2],
    ['\u{1F600}', 1, 1],
    ['\u{1F600}\u{1F600}', 2, 2],
    ['a\u{1F600}b', 3, 3],
    ['\u{1F600}\u{1F600}ab', 4, 4],
    // A lone surrogate counts as one character.
    ['\uD83D', 1, 1],
    ['\uDE00\uD83D', 2, 2],
  ])('of %j is counted in characters', (text, least, most) => {
    expect(fits({ minLength: least, maxLength: most }, text)).toBe(true);
    expect(fits({ minLength: least + 1 }, text)).toBe(false);
    expect(fits({ maxLength: most - 1 }, text)).toBe(false);
  });

  it('names the keyword and the limit', () => {
    const check = compileNow({ type: 'string', minLength: 3, maxLength: 3 });
    check('ab');
    expect(check.errors).toMatchObject([{ keyword: 'minLength', params: { limit: 3 } }]);
    check('abcd');
    expect(check.errors).toMatchObject([{ keyword: 'maxLength', params: { limit: 3 } }]);
  });

  it('is looked at before its form', () => {
    const check = compileNow({ type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 3 });
    const day = compileNow({ type: 'string', format: 'date', minLength: 2, maxLength: 3 });
    for (const first of [check, day])
      expect(['', '----'].map((text) => first(text) || first.errors?.[0]?.keyword)).toEqual(['minLength', 'maxLength']);
  });

  it('is counted only where the number of its units leaves it open', () => {
    const text = moduleMaker('formats')({ type: 'string', minLength: 2, maxLength: 9 });
    expect(text).toMatch(/\.length > 9 && \(\w+\.length > 2 \* 9 \|\|/);
    expect(text).toMatch(/\.length < 2 \* 2 && \(\w+\.length < 2 \|\|/);
  });
});
