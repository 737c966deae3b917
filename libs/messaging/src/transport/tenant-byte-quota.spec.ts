import { TenantByteQuota } from './tenant-byte-quota';

describe('the bytes that a process holds for Spaces', () => {
  it('are two thirds of the limit for one Space, and a third while another holds some', () => {
    const bytes = new TenantByteQuota(90, 1);
    bytes.add('a', 60);
    expect(bytes.boundMetBy('a', 1)).toBe('share');
    expect(bytes.boundMetBy('b', 30)).toBeNull();
    bytes.add('b', 30);
    expect(bytes.boundMetBy('c', 1)).toBe('limit');
    bytes.remove('a', 50);
    expect(bytes.boundMetBy('a', 20)).toBeNull();
    expect(bytes.boundMetBy('a', 21)).toBe('share');
    bytes.remove('b', 30);
    expect(bytes.boundMetBy('a', 50)).toBeNull();
    expect(bytes.used).toBe(10);
  });

  it('have no share for the platform itself, which takes none from a Space', () => {
    const bytes = new TenantByteQuota(90, 1);
    bytes.add(null, 20);
    expect(bytes.boundMetBy('a', 60)).toBeNull();
    expect(bytes.boundMetBy(null, 70)).toBeNull();
    expect(bytes.boundMetBy(null, 71)).toBe('limit');
  });

  it('leave room for one piece of each Space, however small the limit is', () => {
    const bytes = new TenantByteQuota(30, 16);
    bytes.add('a', 14);
    expect(bytes.boundMetBy('b', 16)).toBeNull();
  });

  it('are given up by the one who holds most', () => {
    const bytes = new TenantByteQuota(90, 1);
    bytes.add('a', 10);
    bytes.add('b', 30);
    bytes.add('c', 20);
    expect(bytes.greediest).toBe('b');
  });
});
