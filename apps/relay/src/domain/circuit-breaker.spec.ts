import { CircuitBreaker, REST_MS } from './circuit-breaker';

const NOW = 1_000_000;

const silences = (circuitBreaker: CircuitBreaker, spaceId: string, count: number): void => {
  for (let n = 0; n < count; n += 1) circuitBreaker.unanswered(spaceId, NOW);
};

describe('the breaker of an upstream', () => {
  it('opens for the Space whose calls alone get no answer, and for no other one', () => {
    const circuitBreaker = new CircuitBreaker();
    silences(circuitBreaker, 'loud', 19);
    expect(circuitBreaker.admits('loud', NOW)).toBe(true);
    silences(circuitBreaker, 'loud', 500);
    silences(circuitBreaker, 'its-second', 500);
    expect(circuitBreaker.admits('loud', NOW)).toBe(false);
    circuitBreaker.unanswered('quiet', NOW);
    expect(circuitBreaker.admits('quiet', NOW)).toBe(true);
    expect(circuitBreaker.admits('new', NOW)).toBe(true);
  });

  it('opens for all Spaces that had timeouts when three had, and for no other', () => {
    const circuitBreaker = new CircuitBreaker();
    for (const space of ['a', 'b', 'c']) silences(circuitBreaker, space, 7);
    for (const space of ['a', 'b', 'c']) expect(circuitBreaker.admits(space, NOW)).toBe(false);
    expect(circuitBreaker.admits('new', NOW)).toBe(true);
    circuitBreaker.unanswered('new', NOW);
    expect(circuitBreaker.admits('new', NOW)).toBe(false);
  });

  it('opens for all when there is no connection, which is no Space’s doing', () => {
    const circuitBreaker = new CircuitBreaker();
    for (let n = 0; n < 20; n += 1) circuitBreaker.unreachable('loud', NOW);
    expect(circuitBreaker.admits('quiet', NOW)).toBe(false);
    expect(circuitBreaker.begin('quiet', NOW + REST_MS)).toBe(true);
    // One finds out; the others go on without waiting for it.
    expect(circuitBreaker.begin('loud', NOW + REST_MS)).toBe(false);
    circuitBreaker.reached();
    expect(circuitBreaker.begin('loud', NOW + REST_MS)).toBe(true);
  });

  it('lets one attempt of a Space through after a rest, and one of each Space', () => {
    const circuitBreaker = new CircuitBreaker();
    for (const space of ['a', 'b', 'c']) silences(circuitBreaker, space, 20);
    const later = NOW + REST_MS;
    expect([
      circuitBreaker.begin('a', later),
      circuitBreaker.begin('a', later),
      circuitBreaker.begin('b', later),
    ]).toEqual([true, false, true]);
    circuitBreaker.left('a', later);
    expect(circuitBreaker.begin('a', later)).toBe(true);
    circuitBreaker.unanswered('a', later);
    expect([circuitBreaker.admits('a', later), circuitBreaker.admits('a', later + REST_MS)]).toEqual([false, true]);
  });

  it('closes for all with one answer', () => {
    const circuitBreaker = new CircuitBreaker();
    for (const space of ['a', 'b', 'c']) silences(circuitBreaker, space, 20);
    circuitBreaker.answered();
    for (const space of ['a', 'b', 'c']) expect(circuitBreaker.admits(space, NOW)).toBe(true);
  });
});
