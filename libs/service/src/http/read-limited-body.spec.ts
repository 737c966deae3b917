import { Readable } from 'node:stream';
import { readBody } from './read-limited-body';

const parts = (...texts: string[]): Readable => Readable.from(texts.map((text) => Buffer.from(text)));

describe('reading a body', () => {
  it('gives all of it', async () => {
    expect((await readBody(parts('ab', 'c', 'def'), 6))?.toString()).toBe('abcdef');
    expect((await readBody(parts(), 6))?.length).toBe(0);
  });

  it('keeps nothing of what is too large, and reads it to the end within bounds', async () => {
    const within = parts('abc', 'defg');
    expect(await readBody(within, 6, 1)).toBeNull();
    expect(within.readableEnded).toBe(true);
    const beyond = parts('abc', 'defgh', 'never read');
    expect(await readBody(beyond, 6, 1)).toBeNull();
    expect([beyond.destroyed, beyond.readableEnded]).toEqual([true, false]);
  });

  it('fails when the sender fails or leaves', async () => {
    const failing = new Readable({ read: () => undefined });
    const reading = readBody(failing, 6);
    failing.destroy(new Error('reset'));
    await expect(reading).rejects.toThrow('reset');
    const leaving = new Readable({ read: () => undefined });
    const waiting = readBody(leaving, 6);
    leaving.push('ab');
    leaving.destroy();
    await expect(waiting).rejects.toThrow('before it was whole');
  });
});
