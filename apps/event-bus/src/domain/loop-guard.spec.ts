import { rootCause, runCause, writeCause } from './emission-cause';
import { ROOT_BUDGET, overBudget, tooDeep } from './loop-guard';

describe('the cause of an emission', () => {
  it('is nothing for an emission from outside', () => {
    expect(rootCause('e1')).toEqual({ depth: 0, causationId: null, correlationId: 'e1', parent: null, root: null });
  });

  it('is the run for an emission from a run, one deeper, in the same chain', () => {
    const run = { depth: 3, causationId: 'e4', correlationId: 'e1' };
    expect(runCause('e5', run)).toEqual({ depth: 4, causationId: 'e4', correlationId: 'e1', parent: null, root: null });
  });

  it('begins a chain at depth 1 for a run that somebody started by hand', () => {
    const run = { depth: 0, causationId: null, correlationId: null };
    expect(runCause('e1', run)).toEqual({ depth: 1, causationId: null, correlationId: 'e1', parent: null, root: null });
  });

  it('tells the write of a person from the write of a run', () => {
    expect(writeCause('e1', { depth: 0, causationId: null, correlationId: null }).depth).toBe(0);
    expect(writeCause('e2', { depth: 2, causationId: 'e0', correlationId: 'e0' }).depth).toBe(3);
  });
});

describe('the loop guard', () => {
  it('lets the deepest allowed emission through and stops the next', () => {
    expect(tooDeep(10, 10)).toBeNull();
    expect(tooDeep(11, 10)?.code).toBe('DEPTH_LIMIT');
  });

  it('stops a chain that would start more runs than its root may lead to', () => {
    expect(overBudget(1, ROOT_BUDGET - 2, 2)).toBeNull();
    expect(overBudget(1, ROOT_BUDGET - 2, 3)?.code).toBe('ROOT_BUDGET');
    expect(overBudget(5, ROOT_BUDGET, 0)).toBeNull();
  });

  it('never stops what a root itself matches', () => {
    expect(overBudget(0, 0, 10_000)).toBeNull();
  });

  it('bounds a fan-out of three to the whole layers that fit', () => {
    let runs = 0;
    let layer = 3;
    let depth = 0;
    while (!overBudget(depth, runs, layer)) {
      runs += layer;
      layer *= 3;
      depth += 1;
    }
    expect(runs).toBe(3 + 9 + 27 + 81);
  });
});
