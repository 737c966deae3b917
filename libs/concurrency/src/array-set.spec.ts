import { ArraySet } from './array-set';

describe('a set that changes in place', () => {
  it('has what was added and was not removed', () => {
    const set = new ArraySet<string>();
    const [a, b, c] = [set.add('a'), set.add('b'), set.add('c')];
    expect([...set].sort()).toEqual(['a', 'b', 'c']);
    set.remove(a);
    expect([...set].sort()).toEqual(['b', 'c']);
    set.remove(c);
    expect([...set]).toEqual(['b']);
    expect(set.first).toBe('b');
    set.remove(b);
    expect(set.size).toBe(0);
    expect(set.first).toBeUndefined();
  });

  it('is removed once', () => {
    const set = new ArraySet<string>();
    const a = set.add('a');
    set.add('b');
    set.remove(a);
    set.remove(a);
    expect([...set]).toEqual(['b']);
  });

  it('may be removed while it is read', () => {
    const set = new ArraySet<number>();
    const slots = [1, 2, 3].map((item) => set.add(item));
    const visited: number[] = [];
    for (const item of set) {
      visited.push(item);
      for (const slot of slots) set.remove(slot);
    }
    expect(visited).toEqual([1, 2, 3]);
    expect(set.size).toBe(0);
  });

  it('keeps nothing of what was removed', () => {
    const set = new ArraySet<object>();
    const slot = set.add({});
    set.remove(slot);
    expect(slot.item).toBeUndefined();
  });
});
