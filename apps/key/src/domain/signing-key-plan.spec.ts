import { SigningKeyAge, planSigningKeys } from './signing-key-plan';

const DAY = 86_400_000;
const now = new Date('2026-06-01T00:00:00.000Z');
const daysAgo = (days: number): string => new Date(now.getTime() - days * DAY).toISOString();
const policy = { algorithm: 'EdDSA', lifeMs: 90 * DAY } as const;

const key = (kid: string, stage: SigningKeyAge['stage'], more: Partial<SigningKeyAge> = {}): SigningKeyAge => ({
  kid,
  stage,
  algorithm: 'EdDSA',
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

  it('change over when the configuration names another algorithm', () => {
    const plan = planSigningKeys([key('a', 'CURRENT'), key('b', 'NEXT')], { ...policy, algorithm: 'RS256' }, now);
    expect(plan).toEqual({ drop: ['b'], retire: 'a', promote: null, createCurrent: true, createNext: true });
  });
});
