import { RE2JS } from 're2js';
import { CHECK_BUDGET, TooExpensive, startMeter, unitsSpent } from '../check-cost-limit';
import { LinearPattern } from './linear-pattern';
import { patternInstructions } from './pattern-instructions';

const PATTERNS = [
  '',
  'a',
  '^a$',
  'abc',
  'a|b',
  'a||b',
  '|',
  '(a|b)*c',
  '(?:a|b)+?c',
  '(?<year>\\d{4})-(\\d\\d)',
  '^[a-z0-9-]+$',
  '[^a-z]',
  '[]a]',
  '[^]a]',
  '[[:alpha:]_]+',
  '\\p{L}+',
  '\\P{L}',
  '[\\p{L}\\p{N} .]{1,40}',
  '\\bword\\b',
  '\\Bord',
  '^$',
  '(?i)straße',
  '(?i)k',
  '(?i:[a-f]+)x',
  '(?m)^b$',
  '(?s).+',
  'a{3}',
  'a{2,}',
  'a{0,3}b',
  '(ab){2,4}',
  '(a{2}){3}',
  '(a?){10}a{10}',
  'a{,3}',
  'x{1',
  '(a*)*b',
  '(a+)+$',
  '\\x{1F600}',
  '[\\u{1F600}-\\u{1F64F}]',
  '.',
  '\\.',
  '\\Qa.b\\E+',
  '(^a|b$)',
  '\\d+(\\.\\d{1,2})?',
  '(()|a)+',
  '(|a){5}',
  '(a{0}){3}',
  'a{0}',
  '\\/x\\/',
  '(?P<n>a)b',
  '[\\w.+-]+@[\\w-]+\\.[\\w.]+',
  '(?:x{1,20}y?){1,20}',
  '[^\\n]*',
  '\\cA',
  '$^',
  'a$b',
];
const TEXTS = [
  '',
  'a',
  'b',
  'c',
  'aab',
  'abc',
  'ababc',
  '2026-11-27',
  'a-b-9',
  'STRASSE',
  'Straße',
  'K',
  'k',
  'word',
  'a word!',
  'sword',
  'a\nb\nc',
  'ﬁ',
  '😀',
  'x😀y',
  'aaa',
  'a.b',
  'é è',
  'me@example.com',
  '12.34',
  'xxxyx',
  ']',
  '\u0001',
  'x{1',
  'a{,3}',
  '/x/',
  'FACEx',
  '\ud800',
];

describe('a pattern of a user', () => {
  it.each(PATTERNS)('finds the same matches as RE2: %s', (pattern) => {
    const theirs = RE2JS.compile(RE2JS.translateRegExp(pattern));
    const ours = new LinearPattern(pattern);
    startMeter();
    expect(TEXTS.filter((text) => ours.test(text))).toEqual(TEXTS.filter((text) => theirs.matcher(text).find()));
  });

  it('is not compiled to more instructions than its text was counted to have', () => {
    const over = PATTERNS.filter(
      (pattern) => new LinearPattern(pattern).instructions - 1 > patternInstructions(RE2JS.translateRegExp(pattern)),
    );
    expect(over).toEqual([]);
  });

  it.each([
    ['a'.repeat(500), 501],
    ['a{1000}', 1001],
    ['(a{1000}){1000}', 1_002_003],
    ['((a{9}){9}){9}', 910],
    ['\\p{L}', 10],
    ['[\\p{L}\\p{N}]{100}', 118],
    ['a|b|c', 8],
  ])('has its instructions counted without being built: %s', (pattern, instructions) => {
    const counted = patternInstructions(pattern);
    expect(counted).toBeGreaterThanOrEqual(instructions * 0.9);
    expect(counted).toBeLessThanOrEqual(instructions * 1.1);
  });

  it('costs the characters of the text times its instructions at most, and ends over the budget', () => {
    const pattern = new LinearPattern('(a?){100}a{100}b|(.{1,100}z)+');
    startMeter();
    const text = 'a'.repeat(100);
    pattern.test(text);
    expect(unitsSpent()).toBeLessThan(10 * text.length * pattern.instructions);
    startMeter();
    expect(() => pattern.test('a'.repeat(1_000_000))).toThrow(TooExpensive);
    expect(unitsSpent()).toBeLessThan(CHECK_BUDGET + 10 * pattern.instructions);
  });

  it('reads no further than the answer needs', () => {
    const pattern = new LinearPattern('^data:');
    startMeter();
    expect(pattern.test(`data:${'x'.repeat(8 * 1024 * 1024)}`)).toBe(true);
    expect(pattern.test('x'.repeat(8 * 1024 * 1024))).toBe(false);
    expect(unitsSpent()).toBeLessThan(200);
  });
});
