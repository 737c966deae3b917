import { randomBytes } from 'node:crypto';
import { KeyConfig } from '../key.config';
import { DataSeal } from './data-seal';

const sealOf = (key: Buffer): DataSeal => new DataSeal({ DATA_KEY: key.toString('base64url') } as KeyConfig);

describe('a sealed value', () => {
  const seal = sealOf(randomBytes(32));

  it('opens for its purpose, and never looks the same twice', () => {
    const one = seal.seal('secret ü', 'row:1');
    expect(seal.open(one, 'row:1')).toBe('secret ü');
    expect(seal.seal('secret ü', 'row:1').equals(one)).toBe(false);
    expect(one.includes('secret')).toBe(false);
  });

  it('does not open for another row, with another key, or changed', () => {
    const sealed = seal.seal('secret', 'row:1');
    expect(() => seal.open(sealed, 'row:2')).toThrow();
    expect(() => sealOf(randomBytes(32)).open(sealed, 'row:1')).toThrow();
    for (let i = 0; i < sealed.length; i += 1) {
      const changed = Buffer.from(sealed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => seal.open(changed, 'row:1')).toThrow();
    }
    expect(() => seal.open(sealed.subarray(0, 10), 'row:1')).toThrow();
  });

  it('needs a key of 32 bytes', () => {
    expect(() => sealOf(randomBytes(31))).toThrow('32 bytes');
  });
});
