import { outputText } from './tool-calls';
import { limitToolOutput } from './limit-tool-output';

describe('what tools give back', () => {
  it('is bounded', () => {
    expect(String(limitToolOutput({ a: 'x'.repeat(5000) }, 100))).toMatch(
      /^\{"a":"x+\n\[shortened: \d+ more characters\]$/s,
    );
    expect(outputText({ status: 'succeeded', output: 'y'.repeat(50) }, 10)).toBe(
      'yyyyyyyyyy\n[shortened: 40 more characters]',
    );
  });

  it('can be stored and shown', () => {
    expect(limitToolOutput('a\u0000b\ud800', 100)).toBe('a\uFFFDb\uFFFD');
    expect(limitToolOutput({ n: Number.NaN, f: () => 1, ['__proto__']: { x: 1 }, ok: [1, null, true] }, 100)).toEqual({
      n: null,
      f: null,
      ok: [1, null, true],
    });
    expect(limitToolOutput({ constructor: { prototype: 1 } }, 100)).toEqual({ constructor: { prototype: 1 } });
    let deep: unknown = 1;
    for (let n = 0; n < 1000; n += 1) deep = { deep };
    expect(JSON.stringify(limitToolOutput(deep, 100_000))).toContain('[nested too deep]');
  });
});
