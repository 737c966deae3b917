import { BufferAccumulator } from './buffer-accumulator';

describe('gathered bytes', () => {
  it.each([
    ['one piece', [70_000]],
    ['single bytes', Array.from({ length: 40_000 }, () => 1)],
    ['small and large pieces', Array.from({ length: 60 }, (_, at) => (at % 3 === 0 ? 20_000 : 7))],
    ['pieces of half a block', Array.from({ length: 40 }, () => 8000)],
  ])('are those that came, in their order: %s', (_, sizes) => {
    const gathered = new BufferAccumulator();
    let next = 0;
    const all: Buffer[] = [];
    for (const size of sizes) {
      const piece = Buffer.from(Array.from({ length: size }, () => (next += 7) % 251));
      all.push(Buffer.from(piece));
      gathered.add(piece);
    }
    const whole = Buffer.concat(all);
    expect(gathered.length).toBe(whole.length);
    expect(gathered.take().equals(whole)).toBe(true);
    expect([gathered.length, gathered.take().length]).toEqual([0, 0]);
  });

  it('cost little more than themselves when they come one by one', () => {
    const gathered = new BufferAccumulator();
    const before = process.memoryUsage();
    const piece = Buffer.from('x');
    for (let count = 0; count < 2_000_000; count += 1) gathered.add(piece);
    const { heapUsed, external } = process.memoryUsage();
    expect(heapUsed - before.heapUsed + external - before.external).toBeLessThan(60_000_000);
    expect(gathered.take().length).toBe(2_000_000);
  });
});
