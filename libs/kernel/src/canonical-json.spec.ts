import { canonicalJson, fingerprint, fingerprintOfLarge } from './canonical-json';

describe('canonical JSON', () => {
  it.each<[unknown, string]>([
    [{ b: 1, a: [{ d: 'x', c: null }, undefined, []] }, '{"a":[{"c":null,"d":"x"},null,[]],"b":1}'],
    [{ a: undefined, '': {}, 'ü"': true }, '{"":{},"ü\\"":true}'],
    [[undefined], '[null]'],
    [undefined, 'null'],
    ['text', '"text"'],
  ])('of %j is %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });
});

describe('the fingerprint of a large value', () => {
  const value = { b: [1, { z: null, a: [{ y: 'x' }, undefined] }], a: undefined, c: { list: [[['deep']]] }, '': 'ü' };

  it('is the one that it has in one go', async () => {
    expect(await fingerprintOfLarge(value)).toBe(fingerprint(value));
    const pairs = `x${'\u{1F600}'.repeat(100_000)}`;
    for (const text of [pairs, `${pairs}y`.slice(1)])
      expect(await fingerprintOfLarge([text])).toBe(fingerprint([text]));
    const long = { ...value, texts: Array.from({ length: 3_000 }, (_, at) => `${at}`.padStart(100, 'ü')) };
    expect(await fingerprintOfLarge(long)).toBe(fingerprint(long));
  });

  it('lets others run while it is taken', async () => {
    let others = 0;
    const timer = setInterval(() => (others += 1), 0);
    await fingerprintOfLarge(['x'.repeat(32 * 1024 * 1024)]);
    clearInterval(timer);
    expect(others).toBeGreaterThan(1);
  });
});
