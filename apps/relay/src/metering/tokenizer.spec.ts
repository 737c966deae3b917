import { Tokenizer } from './tokenizer';

const tokenizer = new Tokenizer();

describe('the tokenizer', () => {
  it('counts texts', async () => {
    expect(await tokenizer.count(['Hello world', ''])).toBe(2);
    expect(await tokenizer.count([])).toBe(0);
  });

  it('takes special tokens for the text that they are', async () => {
    expect(await tokenizer.count(['<|endoftext|>'])).toBeGreaterThan(1);
  });

  it('is quick with texts that are made to be slow, and near with long ones', async () => {
    const before = Date.now();
    expect(await tokenizer.count(['a'.repeat(1_000_000)])).toBeGreaterThan(50_000);
    expect(Date.now() - before).toBeLessThan(5_000);
    const words = 'one two three four '.repeat(50_000);
    const counted = await tokenizer.count([words]);
    expect(Math.abs(counted / 200_000 - 1)).toBeLessThan(0.02);
  });
});
