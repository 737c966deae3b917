import { DIMENSIONS, embed } from './vector';

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

describe('embedding vectors', () => {
  it('are unit vectors of 384 numbers, also for texts without words', () => {
    for (const text of ['a cat sat', '', '...', 'ж', '日本語']) {
      expect(embed(text)).toHaveLength(DIMENSIONS);
      expect(dot(embed(text), embed(text))).toBeCloseTo(1, 5);
    }
  });

  it('are equal for equal texts and near for like ones', () => {
    expect(dot(embed('Shipping costs'), embed('shipping COSTS'))).toBeCloseTo(1, 5);
    const near = dot(embed('how do I reset my password'), embed('password reset'));
    const far = dot(embed('how do I reset my password'), embed('tomato soup with basil'));
    expect(near).toBeGreaterThan(0.4);
    expect(far).toBeLessThan(0.2);
  });

  it('bring forms of one word near each other', () => {
    expect(dot(embed('invoice'), embed('invoices'))).toBeGreaterThan(0.3);
  });
});
