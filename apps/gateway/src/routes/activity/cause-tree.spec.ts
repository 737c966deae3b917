import { type CauseNode, MAX_CAUSE_NODES } from '@switchyard/contracts';
import { causeTree, stepNodes } from './cause-tree';

const node = (key: string, parentKey: string | null, more: Partial<CauseNode> = {}): CauseNode =>
  ({
    key,
    parentKey,
    kind: key.split(':')[0],
    id: key,
    name: null,
    status: null,
    startedAt: null,
    finishedAt: null,
    userId: null,
    correlationId: null,
    root: null,
    turnIds: [],
    tokens: null,
    cost: null,
    ...more,
  }) as CauseNode;

const all = (): boolean => true;
const shape = (tree: ReturnType<typeof causeTree>): [string, string | null][] =>
  tree.nodes.map(({ key, parentKey }) => [key, parentKey]);

describe('a tree of causes', () => {
  it('joins what the services know, each node once and below its parent', () => {
    const tree = causeTree(
      [
        node('model_call:m', 'turn:t', { tokens: 5, cost: 0.5 }),
        node('turn:t', 'step:e/s'),
        node('step:e/s', 'execution:e'),
        node('execution:e', 'delivery:d'),
        node('delivery:d', 'emission:r'),
        node('emission:r', null),
      ],
      'emission:r',
      all,
    );
    expect(shape(tree)).toEqual([
      ['emission:r', null],
      ['delivery:d', 'emission:r'],
      ['execution:e', 'delivery:d'],
      ['step:e/s', 'execution:e'],
      ['turn:t', 'step:e/s'],
      ['model_call:m', 'turn:t'],
    ]);
    expect(tree.nodes.map(({ tokens }) => tokens)).toEqual([5, 5, 5, 5, 5, 5]);
  });

  it('knows a call of a tool by what it has led to, and hangs what has lost its parent under the root', () => {
    const tree = causeTree(
      [node('turn:t', null), node('execution:e', 'tool_call:t/c1'), node('record_write:w', 'step:gone/s')],
      'turn:t',
      all,
    );
    expect(new Map(shape(tree))).toEqual(
      new Map([
        ['turn:t', null],
        ['tool_call:t/c1', 'turn:t'],
        ['record_write:w', 'turn:t'],
        ['execution:e', 'tool_call:t/c1'],
      ]),
    );
  });

  it('has the steps of an execution as nodes below it', () => {
    const steps = ['a', 'b'].map((id) => ({ id, status: 'SUCCEEDED', startedAt: null, finishedAt: null }));
    const execution = node('execution:e', null, { id: 'e', steps });
    const tree = causeTree([execution, ...stepNodes(execution), node('turn:t', 'step:e/b')], 'execution:e', all);
    expect(shape(tree)).toEqual([
      ['execution:e', null],
      ['step:e/a', 'execution:e'],
      ['step:e/b', 'execution:e'],
      ['turn:t', 'step:e/b'],
    ]);
    expect(tree.nodes[1]).toMatchObject({ kind: 'step', id: 'a', name: 'a', status: 'SUCCEEDED' });
    expect(tree.nodes[0]).not.toHaveProperty('steps');
  });

  it('says of what may not be seen only where it stands', () => {
    const tree = causeTree(
      [node('turn:t', null), node('execution:e', 'turn:t', { name: 'secret' })],
      'turn:t',
      ({ kind }) => kind === 'turn',
    );
    expect(tree.nodes[1]).toEqual({
      key: 'execution:e',
      parentKey: 'turn:t',
      kind: 'execution',
      id: null,
      hidden: true,
    });
  });

  it('ends at its limit, from the root down, and says so', () => {
    const many = Array.from({ length: MAX_CAUSE_NODES + 5 }, (_, n) => node(`execution:${n}`, 'emission:r'));
    const tree = causeTree([...many, node('emission:r', null)], 'emission:r', all);
    expect(tree).toMatchObject({ truncated: true, nodes: { length: MAX_CAUSE_NODES, 0: { key: 'emission:r' } } });
  });

  it('holds no circle', () => {
    const tree = causeTree(
      [node('turn:a', 'turn:b'), node('turn:b', 'turn:a'), node('emission:r', null)],
      'emission:r',
      all,
    );
    expect(shape(tree)).toEqual([['emission:r', null]]);
  });
});
