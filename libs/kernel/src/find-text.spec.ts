import { findText, splitText } from './find-text';

/** CPU time of this process: wall time depends on the load of the machine. */
const cpuMs = (work: () => unknown): number => {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
};

describe('a part of a text', () => {
  it('finds the same index as the engine, for random texts', () => {
    let seed = 7;
    const next = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const of = (length: number): string => Array.from({ length }, () => 'ab'.charAt(next(2))).join('');
    for (let tries = 0; tries < 3000; tries += 1) {
      const text = of(next(400));
      const start = next(300);
      const part = tries % 2 === 0 ? text.slice(start, start + next(90)) : of(33 + next(6));
      const from = next(20);
      expect(findText(text, part, from)).toBe(text.indexOf(part, from));
      if (part !== '') expect(splitText(text, part)).toEqual(text.split(part));
    }
  });

  it('is found in time that does not grow with the product of both', () => {
    const text = 'a'.repeat(1_000_000);
    const part = `${'a'.repeat(8000)}b${'a'.repeat(8000)}`;
    expect(cpuMs(() => findText(text, part))).toBeLessThan(500);
    expect(cpuMs(() => splitText(text, 'a'.repeat(1000)))).toBeLessThan(500);
  });
});
