import { JSON_LIMITS } from '@switchyard/kernel';
import { SLICE_BYTES, IncrementalJsonParser } from './incremental-json-parser';

const parse = (text: string): Promise<unknown> => new IncrementalJsonParser(Buffer.from(text), JSON_LIMITS).parse();
const filler = `"${'x'.repeat(1000)}"`;
const long = (count: number): string => Array.from({ length: count }, () => filler).join(', ');
const LIST = long(600);

describe('a large JSON text', () => {
  it.each([
    ['a list', `[${LIST}]`],
    ['an object', `{ ${Array.from({ length: 600 }, (_, at) => `"k${at}" : ${filler}`).join(',\n')} }`],
    ['lists in lists', `[1, [${LIST}, [${LIST}, {"a": [${LIST}, []], "b": {} }, 2], 3 ] , 4, [5] ,6]`],
    ['objects in lists', `[${Array.from({ length: 600 }, (_, at) => `{"n":${at},"t":[${filler}]}`).join(',')}]`],
    [
      'strings that hold signs',
      `[${Array.from({ length: 9000 }, () => '"a\\"],[{\\\\"').join(',')} , "${'\\\\'.repeat(SLICE_BYTES)}"]`,
    ],
    ['one long string', `"${'é'.repeat(SLICE_BYTES)}"`],
    ['a name twice', `{"a": 1, "b": [${LIST}], "a": 2, "c": "${'x'.repeat(SLICE_BYTES)}", "b": 3}`],
    ['numbers as names', `{"2": [${LIST}], "1": [${LIST}], "x": 0}`],
    ['empty ones at the end', `[${LIST}, [], {}, [[]]]`],
  ])('reads as JSON.parse reads it: %s', async (_, text) => {
    const parsed = await parse(text);
    expect(parsed).toEqual(JSON.parse(text));
    expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text)));
  });

  it('keeps __proto__ as a field, to be refused', async () => {
    const parsed = (await parse(`{"a":[${LIST}],"__proto__":{"admin":true}}`)) as object;
    expect(Object.keys(parsed)).toEqual(['a', '__proto__']);
    expect((parsed as { admin?: boolean }).admin).toBeUndefined();
    const nested = (await parse(`{"__proto__":{"a":[${LIST},1]}}`)) as object;
    expect(Object.keys(nested)).toEqual(['__proto__']);
  });

  it.each([
    `[${LIST},]`,
    `[,${LIST}]`,
    `[${LIST},,1]`,
    `[${LIST}`,
    `${LIST}]`,
    `[${LIST}}`,
    `[[${LIST}],[${LIST}] [1]]`,
    `[[${LIST}] 1,2]`,
    `{"a" [${LIST}]}`,
    `{"a": "b" [${LIST}]}`,
    `{"a":[${LIST}] "b":1}`,
    `{[${LIST}]:1}`,
    `{"a":[${LIST}],}`,
    `[${LIST}] 1`,
    `1 [${LIST}]`,
    `[${LIST}][${LIST}]`,
    `\ufeff[${LIST}]`,
    `[\u00a0,${LIST}]`,
    `["${'x'.repeat(SLICE_BYTES)}]`,
    `[01, ${LIST}]`,
    `[${LIST}, tru]`,
    `{"a":${LIST}}`,
    `{,"a":[${LIST}]}`,
  ])('is refused where JSON.parse refuses it (%#)', async (text) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    await expect(parse(text)).rejects.toBeInstanceOf(SyntaxError);
  });

  it('reads, or refuses, any text as JSON.parse does, wherever it is cut', async () => {
    let seed = 20_261_122;
    const next = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      return Math.floor((seed / 0x80000000) * below);
    };
    const signs = '[]{},:"\\ 1a\n';
    const value = (depth: number): unknown => {
      const kind = next(depth > 3 ? 4 : 6);
      if (kind === 4) return Array.from({ length: next(4) }, () => value(depth + 1));
      if (kind === 5)
        return Object.fromEntries(Array.from({ length: next(4) }, () => [`k${next(5)}`, value(depth + 1)]));
      return [next(1000), `t"\\${next(9)}é`, null, true][kind];
    };
    for (let round = 0; round < 6000; round += 1) {
      let text = JSON.stringify(
        Array.from({ length: next(5) }, () => value(0)),
        null,
        next(3),
      );
      for (let changes = next(3); changes > 0; changes -= 1) {
        const at = next(text.length);
        text = text.slice(0, at) + (next(2) === 0 ? '' : (signs[next(signs.length)] ?? '')) + text.slice(at + next(2));
      }
      let expected: unknown = SyntaxError;
      try {
        expected = JSON.parse(text);
      } catch {
        // It stays refused.
      }
      const read = new IncrementalJsonParser(Buffer.from(text), JSON_LIMITS, next(20)).parse();
      const got = await read.catch((error: unknown) => (error instanceof SyntaxError ? SyntaxError : error));
      expect([text, got]).toEqual([text, expected]);
    }
  });

  it('is refused before it is built when it holds too many values or levels', async () => {
    await expect(parse(`[${'[],'.repeat(3_000_000)}0]`)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(parse('['.repeat(5_000_000))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('lets others run while it is read', async () => {
    const rows = Array.from({ length: 60_000 }, (_, at) => `{"n":${at},"t":"${'x'.repeat(140)}"}`);
    const text = `{"records":[${rows.join(',')}]}`;
    let turns = 0;
    const look = setInterval(() => (turns += 1), 0);
    await parse(text);
    clearInterval(look);
    // Read in one go it would be one at most.
    expect(turns).toBeGreaterThan(2);
  });
});
