import { createCipheriv, randomBytes } from 'node:crypto';
import { serviceCtx } from '@switchyard/contracts';
import { keyedFingerprint } from './keyed-fingerprint';
import { readKeyRing } from './encryption-keys';
import { Encrypter } from './encrypter';

const key = (): string => randomBytes(32).toString('base64');

describe('a sealed value', () => {
  const dataKey = key();
  const encrypter = new Encrypter(dataKey);

  it('opens for its place, and never looks the same twice', () => {
    const one = encrypter.seal('secret ü', 'row:1');
    expect(encrypter.open(one, 'row:1')).toBe('secret ü');
    expect(encrypter.seal('secret ü', 'row:1').equals(one)).toBe(false);
    expect(one.includes('secret')).toBe(false);
  });

  it('does not open for another place, with another key, or changed', () => {
    const sealed = encrypter.seal('secret', 'row:1');
    expect(() => encrypter.open(sealed, 'row:2')).toThrow();
    expect(() => new Encrypter(key()).open(sealed, 'row:1')).toThrow();
    for (let i = 0; i < sealed.length; i += 1) {
      const changed = Buffer.from(sealed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => encrypter.open(changed, 'row:1')).toThrow();
    }
    expect(() => encrypter.open(sealed.subarray(0, 10), 'row:1')).toThrow();
    expect(() => encrypter.open(Buffer.alloc(0), 'row:1')).toThrow();
  });

  it('opens with the key it names while that key is kept, and is sealed with the first one', () => {
    const [first, second] = [key(), key()];
    const old = new Encrypter(first).seal('secret', 'row:1');
    const current = new Encrypter(`1:${first},2:${second}`);
    expect(current.isCurrent(current.seal('secret', 'row:1')) && current.isCurrent(old)).toBe(true);
    const both = new Encrypter(`2:${second},1:${first}`);
    expect(both.open(old, 'row:1')).toBe('secret');
    expect(both.isCurrent(old)).toBe(false);
    const renewed = both.seal('secret', 'row:1');
    expect(both.isCurrent(renewed)).toBe(true);
    const alone = new Encrypter(`2:${second}`);
    expect(alone.open(renewed, 'row:1')).toBe('secret');
    expect(() => alone.open(old, 'row:1')).toThrow('version 1');
  });

  it('opens what was sealed before keys had versions', () => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(dataKey, 'base64'), nonce).setAAD(Buffer.from('row:1'));
    const text = Buffer.concat([cipher.update('secret', 'utf8'), cipher.final()]);
    const old = Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), text]);
    const sealed = new Encrypter(`7:${key()},1:${dataKey}`);
    expect(sealed.open(old, 'row:1')).toBe('secret');
    expect(sealed.isCurrent(old)).toBe(false);
    expect(() => sealed.open(old, 'row:2')).toThrow();
  });
});

describe('the fingerprint of a request with a secret', () => {
  const [former, present] = [key(), key()];
  const request = { ...serviceCtx('agent'), idempotency: { key: 'k', route: 'r', fingerprint: 'plain' } };
  const under = (dataKey: string) => keyedFingerprint(request, new Encrypter(dataKey).digestKeys).idempotency;

  it('is another one under another key, and never the plain one', () => {
    const [one, other] = [under(`1:${former}`)?.fingerprint, under(`1:${present}`)?.fingerprint];
    expect(new Set([one, other, 'plain']).size).toBe(3);
    expect(one).toBe(under(`1:${former}`)?.fingerprint);
  });

  it('is also found as an older key stored it', () => {
    const rotated = under(`2:${present},1:${former}`);
    expect(rotated).toMatchObject({ key: 'k', route: 'r', fingerprint: under(`2:${present}`)?.fingerprint });
    expect(rotated?.formerFingerprints).toEqual([under(`1:${former}`)?.fingerprint]);
  });
});

describe('the keys of DATA_KEY', () => {
  it.each([`1:${key()},1:${key()}`, `x:${key()}`, '70000:abc', '1:'])('are not %s', (text) => {
    expect(readKeyRing(text)).toBeNull();
    expect(() => new Encrypter(text)).toThrow('DATA_KEY');
  });

  it('are read as hex, base64 or a pass phrase, in their order', () => {
    const bytes = randomBytes(32);
    const ring = readKeyRing(`3:${bytes.toString('hex')}, 1:${bytes.toString('base64url')},2:a long pass phrase`);
    expect(ring?.map(({ version }) => version)).toEqual([3, 1, 2]);
    expect(ring?.map(({ secret }) => secret.length)).toEqual([32, 32, 32]);
    expect(ring?.[0].secret.equals(bytes) && ring[1]?.secret.equals(bytes)).toBe(true);
  });
});
