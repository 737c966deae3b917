import { type Cause, branchOf } from './cause-rows';

const node = (key: string, parentKey: string | null, startedAt = '2026-01-01T00:00:00Z'): Cause =>
  ({ key, parentKey, id: `id-${key}`, kind: 'execution', name: key, startedAt }) as unknown as Cause;

describe('the branch of a record', () => {
  const tree = {
    root: 'a',
    nodes: [
      node('a', null),
      node('b', 'a'),
      node('c', 'b', '2026-01-02T00:00:00Z'),
      node('d', 'b'),
      node('e', 'a'),
      node('f', 'd'),
    ],
  };
  const keys = (id: string): string[] => branchOf(tree, id).map(({ cause, level }) => `${cause.key}${level}`);

  it('is what led to it and what it led to, and nothing beside', () => {
    expect(keys('id-b')).toEqual(['a1', 'b2', 'd3', 'f4', 'c3']);
    expect(keys('id-c')).toEqual(['a1', 'b2', 'c3']);
    expect(keys('id-e')).toEqual(['a1', 'e2']);
    expect(keys('id-a')).toHaveLength(6);
  });

  it('is empty where the tree has been cut off before the record', () => {
    expect(keys('id-x')).toEqual([]);
  });
});
