import { generateKeyPairSync } from 'node:crypto';
import type { PublicJwk } from '@switchyard/contracts';
import type { Bus } from '@switchyard/messaging';
import { TokenVerificationKeys } from './token-verification-keys';

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = (kid: string): PublicJwk =>
  ({ ...(publicKey.export({ format: 'jwk' }) as object), kid, alg: 'ES256', use: 'sig' }) as PublicJwk;

describe('The public keys of the key service', () => {
  let reads: number;
  let published: string[];
  let set: TokenVerificationKeys;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    reads = 0;
    published = ['first'];
    const bus = {
      call: () => {
        reads += 1;
        return Promise.resolve({ issuer: 'switchyard', audience: 'switchyard-api', keys: published.map(jwk) });
      },
    };
    set = new TokenVerificationKeys(bus as unknown as Bus);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const kidsFor = async (kid: string): Promise<string[]> => [...(await set.withKey(kid)).byKid.keys()];

  it('are read once, and again when they are announced as changed', async () => {
    await Promise.all([set.withKey('first'), set.withKey('first')]);
    published = ['first', 'second'];
    expect(await kidsFor('first')).toEqual(['first']);
    set.invalidate();
    expect(await kidsFor('first')).toEqual(['first', 'second']);
    expect(reads).toBe(2);
  });

  it('are read once for all tokens with a missing key, and not again within two seconds', async () => {
    await set.withKey('first');
    published = ['first', 'second'];
    expect(await kidsFor('second')).toEqual(['first']);
    jest.advanceTimersByTime(2_001);
    const found = await Promise.all(['second', 'none', 'second', 'none'].map(kidsFor));
    expect(found).toEqual(Array(4).fill(['first', 'second']));
    await set.withKey('none');
    expect(reads).toBe(2);
  });
});
