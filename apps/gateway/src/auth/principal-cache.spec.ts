import { Principal, PrincipalCache } from './principal-cache';

const FRESH_MS = 5000;
const END = Number.MAX_SAFE_INTEGER;

const principal = (changes: Partial<Principal> = {}): Principal => ({
  spaceId: 'space',
  userId: 'ada',
  role: 'MEMBER',
  scopes: ['*'],
  credentialId: 'key',
  credentialType: 'api_key',
  applicationId: null,
  limits: {},
  expiresAt: END,
  version: 1,
  ...changes,
});

describe('the cache of principals', () => {
  let now = 1_000_000;
  let cache: PrincipalCache;

  beforeEach(() => {
    cache = new PrincipalCache(FRESH_MS, () => now);
  });

  it('believes a principal for its time, and no longer', () => {
    cache.keep('a', principal(), now);
    expect(cache.find('a')).toBeDefined();
    now += FRESH_MS - 1;
    expect(cache.find('a')).toBeDefined();
    now += 1;
    expect(cache.find('a')).toBeUndefined();
  });

  it('refuses a credential after it has expired', () => {
    cache.keep('a', principal({ expiresAt: now + 100 }), now);
    now += 100;
    expect(cache.find('a')).toBeUndefined();
  });

  it('tells apart credentials that begin alike', () => {
    cache.keep('a'.repeat(39) + 'x', principal(), now);
    expect(cache.find('a'.repeat(39) + 'y')).toBeUndefined();
  });

  it('forgets what was revoked, under every value', () => {
    cache.keep('old', principal(), now);
    cache.keep('new', principal(), now);
    cache.keep('other', principal({ credentialId: 'other' }), now);
    cache.end('key', END);
    expect([cache.find('old'), cache.find('new')]).toEqual([undefined, undefined]);
    expect(cache.find('other')).toBeDefined();
  });

  it('does not let a verification that began before a revocation bring the credential back', () => {
    const requestedAt = now;
    cache.end('key', END);
    expect(cache.keep('a', principal(), requestedAt)).toBe(false);
    expect(cache.find('a')).toBeUndefined();
  });

  it('does not let late news of a change take back the end', () => {
    cache.end('key', END);
    cache.end('key', 2);
    expect(cache.keep('a', principal({ version: 2 }), now)).toBe(false);
  });

  it('drops what is older than a change, and keeps what is newer', () => {
    cache.keep('a', principal({ version: 1 }), now);
    cache.end('key', 2);
    expect(cache.find('a')).toBeUndefined();
    expect(cache.keep('a', principal({ version: 1 }), now)).toBe(true);
    expect(cache.find('a')).toBeUndefined();
    cache.keep('a', principal({ version: 2 }), now);
    expect(cache.find('a')).toBeDefined();
  });

  it('forgets every credential of a member who changed, and keeps none that was asked for before', () => {
    const requestedAt = now;
    cache.keep('key of ada', principal(), now);
    cache.keep('token of ada', principal({ credentialId: 'sign-in', credentialType: 'jwt' }), now);
    cache.keep('elsewhere', principal({ spaceId: 'another' }), now);
    now += 10;
    cache.memberChanged('space', 'ada');
    expect([cache.find('key of ada'), cache.find('token of ada')]).toEqual([undefined, undefined]);
    expect(cache.find('elsewhere')).toBeDefined();
    cache.keep('key of ada', principal(), requestedAt);
    expect(cache.find('key of ada')).toBeUndefined();
    now += 1;
    cache.keep('key of ada', principal(), now);
    expect(cache.find('key of ada')).toBeDefined();
  });

  it('remembers junk for a moment, apart from the others', () => {
    cache.keep('a', principal(), now);
    cache.noteJunk('junk');
    expect(cache.isJunk('junk')).toBe(true);
    for (let i = 0; i < 20_000; i += 1) cache.noteJunk(`junk ${i}`);
    expect(cache.find('a')).toBeDefined();
    now += 1000;
    expect(cache.isJunk('junk 19999')).toBe(false);
  });
});
