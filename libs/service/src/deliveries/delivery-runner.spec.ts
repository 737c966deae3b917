import { withinBytes } from './delivery-runner';

describe('the queues of one round', () => {
  const queues = (count: number, bytes: number) =>
    Array.from({ length: count }, (_, number) => ({ spaceId: 's', queueId: String(number), slots: 8, bytes }));
  const sum = (capacities: readonly { bytes: number }[]): number =>
    capacities.reduce((total, { bytes }) => total + bytes, 0);

  it('have their shares if these are free', () => {
    expect(withinBytes(queues(3, 100), 1_000, 50)).toEqual(queues(3, 100));
  });

  it('have no more than what is free together, and each has room for the largest delivery', () => {
    const served = withinBytes(queues(200, 400), 1_000, 50);
    expect([served.length, sum(served)]).toEqual([20, 1_000]);
    expect(Math.min(...served.map(({ bytes }) => bytes))).toBe(50);
    expect(sum(withinBytes(queues(10, 400), 1_000, 50))).toBe(1_000);
  });
});
