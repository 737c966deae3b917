import { CHANGE_OF_ALGORITHM_MS, SigningKeyAge, planSigningKeys } from './signing-key-plan';

const DAY = 86_400_000;
const now = new Date('2026-06-01T00:00:00.000Z');
const daysAgo = (days: number): string => new Date(now.getTime() - days * DAY).toISOString();
const policy = { algorithm: 'ES256', lifeMs: 90 * DAY } as const;

const key = (kid: string, stage: SigningKeyAge['stage'], more: Partial<SigningKeyAge> = {}): SigningKeyAge => ({
  kid,
  stage,
  algorithm: 'ES256',
  createdAt: daysAgo(1),
  currentSince: stage === 'CURRENT' ? daysAgo(1) : null,
  retireAt: null,
  ...more,
});

describe('signing keys', () => {
  it('begin with a current and a next one', () => {
    expect(planSigningKeys([], policy, now)).toEqual({
      drop: [],
      retire: null,
      promote: null,
      createCurrent: true,
      createNext: true,
    });
  });

  it('stay as they are while the current one is young', () => {
    const plan = planSigningKeys([key('a', 'CURRENT'), key('b', 'NEXT')], policy, now);
    expect(plan).toEqual({ drop: [], retire: null, promote: null, createCurrent: false, createNext: false });
  });

  it('move on when the current one has signed long enough', () => {
    const plan = planSigningKeys([key('a', 'CURRENT', { currentSince: daysAgo(90) }), key('b', 'NEXT')], policy, now);
    expect(plan).toEqual({ drop: [], retire: 'a', promote: 'b', createCurrent: false, createNext: true });
  });

  it('leave the published set only after the last token they signed', () => {
    const retiring = [key('a', 'RETIRING', { retireAt: daysAgo(-1) }), key('z', 'RETIRING', { retireAt: daysAgo(0) })];
    expect(planSigningKeys([key('b', 'CURRENT'), key('c', 'NEXT'), ...retiring], policy, now).drop).toEqual(['z']);
  });

  it('of another algorithm sign on until a key of the new one has been published for an hour', () => {
    const algorithm = 'RS256';
    const before = [key('a', 'CURRENT', { algorithm }), key('b', 'NEXT', { algorithm })];
    const nothing = { drop: [], retire: null, promote: null, createCurrent: false, createNext: false };
    expect(planSigningKeys(before, policy, now)).toEqual({ ...nothing, drop: ['b'], createNext: true });

    const published = (ms: number): string => new Date(now.getTime() - ms).toISOString();
    const fresh = key('c', 'NEXT', { createdAt: published(CHANGE_OF_ALGORITHM_MS - 1) });
    expect(planSigningKeys([key('a', 'CURRENT', { algorithm }), fresh], policy, now)).toEqual(nothing);

    const existing = key('c', 'NEXT', { createdAt: published(CHANGE_OF_ALGORITHM_MS) });
    const plan = planSigningKeys([key('a', 'CURRENT', { algorithm }), existing], policy, now);
    expect(plan).toEqual({ ...nothing, retire: 'a', promote: 'c', createNext: true });
  });

  it('of another algorithm wait for the change also when they have signed long enough', () => {
    const spent = key('a', 'CURRENT', { algorithm: 'RS256', currentSince: daysAgo(90) });
    const fresh = key('c', 'NEXT', { createdAt: now.toISOString() });
    expect(planSigningKeys([spent, fresh], policy, now)).toMatchObject({ retire: null, promote: null });
  });
});
