import { type Resident, VectorMemory } from './vector-cache-eviction';

const memoryOf = (residents: Record<string, Resident>): VectorMemory<Resident> => {
  const memory = new VectorMemory({ total: 100, share: 50 });
  for (const [key, resident] of Object.entries(residents)) memory.use(key, resident);
  return memory;
};
const of = (spaceId: string, bytes: number, users = 0, isRetired = false): Resident => ({
  spaceId,
  bytes,
  users,
  isRetired,
});

describe('the memory for vectors', () => {
  it('gives up the dataset that was used least recently', () => {
    const [old, recent, mine] = [of('a', 30), of('b', 30), of('c', 45, 1)];
    const memory = memoryOf({ recent, old, mine });
    memory.use('recent', recent);
    expect(memory.isOver).toBe(true);
    expect(memory.nextToGo(mine)).toBe(old);
  });

  it('never gives up a dataset that a search uses', () => {
    const [busy, mine] = [of('a', 60, 1), of('b', 45, 1)];
    expect(memoryOf({ busy, mine }).nextToGo(mine)).toBeNull();
  });

  it('takes from the Space that has more than its share before it takes from any other', () => {
    const [small, large, mine] = [of('small', 10), of('large', 60), of('mine', 40, 1)];
    expect(memoryOf({ small, large, mine }).nextToGo(mine)).toBe(large);
  });

  it('retires what a Space over its share uses, for a Space that is not over it, and only as much as is needed', () => {
    const [first, second, small, mine] = [
      of('large', 40, 1),
      of('large', 40, 1),
      of('small', 10, 1),
      of('mine', 40, 1),
    ];
    const memory = memoryOf({ small, first, second, mine });
    expect([memory.nextToGo(mine), memory.isOverWithoutRetired]).toEqual([null, true]);
    expect(memory.nextToRetire(mine)).toBe(first);
    memory.use('first', of('large', 40, 1, true));
    expect(memory.isOverWithoutRetired).toBe(false);
    // The rest of the Space is within its share.
    expect(memory.nextToRetire(mine)).toBeNull();
  });

  it('retires nothing for a Space over its own share', () => {
    const [busy, mine] = [of('a', 60, 1), of('b', 55, 1)];
    expect(memoryOf({ busy, mine }).nextToRetire(mine)).toBeNull();
  });

  it('lets a Space over its share displace only its own datasets', () => {
    const [victim, own, mine] = [of('victim', 40), of('greedy', 30), of('greedy', 40, 1)];
    const memory = memoryOf({ victim, own, mine });
    expect(memory.nextToGo(mine)).toBe(own);
    memory.remove(own);
    const more = of('greedy', 70, 1);
    memory.use('mine', more);
    expect(memory.nextToGo(more)).toBeNull();
  });
});
