import { Breaker, REST_MS } from './breaker';

const NOW = 1_000_000;

const silences = (breaker: Breaker, spaceId: string, count: number): void => {
  for (let n = 0; n < count; n += 1) breaker.unanswered(spaceId, NOW);
};

describe('the breaker of an upstream', () => {
  it('opens for the Space whose calls alone get no answer, and for no other one', () => {
    const breaker = new Breaker();
    silences(breaker, 'loud', 19);
    expect(breaker.admits('loud', NOW)).toBe(true);
    silences(breaker, 'loud', 500);
    silences(breaker, 'its-second', 500);
    expect(breaker.admits('loud', NOW)).toBe(false);
    breaker.unanswered('quiet', NOW);
    expect(breaker.admits('quiet', NOW)).toBe(true);
    expect(breaker.admits('new', NOW)).toBe(true);
  });

  it('opens for everybody who has met silence when three Spaces did, and for nobody else', () => {
    const breaker = new Breaker();
    for (const space of ['a', 'b', 'c']) silences(breaker, space, 7);
    for (const space of ['a', 'b', 'c']) expect(breaker.admits(space, NOW)).toBe(false);
    expect(breaker.admits('new', NOW)).toBe(true);
    breaker.unanswered('new', NOW);
    expect(breaker.admits('new', NOW)).toBe(false);
  });

  it('opens for all when there is no connection, which is no Space’s doing', () => {
    const breaker = new Breaker();
    for (let n = 0; n < 20; n += 1) breaker.unreachable('loud', NOW);
    expect(breaker.admits('quiet', NOW)).toBe(false);
    expect(breaker.begin('quiet', NOW + REST_MS)).toBe(true);
    // One finds out; the others go on without waiting for it.
    expect(breaker.begin('loud', NOW + REST_MS)).toBe(false);
    breaker.reached();
    expect(breaker.begin('loud', NOW + REST_MS)).toBe(true);
  });

  it('lets one attempt of a Space through after a rest, and one of each Space', () => {
    const breaker = new Breaker();
    for (const space of ['a', 'b', 'c']) silences(breaker, space, 20);
    const later = NOW + REST_MS;
    expect([breaker.begin('a', later), breaker.begin('a', later), breaker.begin('b', later)]).toEqual([
      true,
      false,
      true,
    ]);
    breaker.left('a', later);
    expect(breaker.begin('a', later)).toBe(true);
    breaker.unanswered('a', later);
    expect([breaker.admits('a', later), breaker.admits('a', later + REST_MS)]).toEqual([false, true]);
  });

  it('closes for all with one answer', () => {
    const breaker = new Breaker();
    for (const space of ['a', 'b', 'c']) silences(breaker, space, 20);
    breaker.answered();
    for (const space of ['a', 'b', 'c']) expect(breaker.admits(space, NOW)).toBe(true);
  });
});
