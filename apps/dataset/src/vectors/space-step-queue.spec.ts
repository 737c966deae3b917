import { SpaceStepQueue } from './space-step-queue';

describe('steps of work of many Spaces', () => {
  it('rotate between Spaces, however much work one of them has', () => {
    const queue = new SpaceStepQueue<string>();
    for (const work of ['a1', 'a2', 'a3']) queue.add('a', work);
    queue.add('b', 'b1');
    const steps: string[] = [];
    while (queue.turn((work) => steps.push(work) > 100));
    expect(steps).toEqual(['a1', 'b1', 'a2', 'a3']);
    expect(queue.size).toBe(0);
  });

  it('of one Space rotate between its works, until each has no more', () => {
    const queue = new SpaceStepQueue<{ name: string; left: number }>();
    queue.add('a', { name: 'long', left: 2 });
    queue.add('a', { name: 'short', left: 1 });
    const steps: string[] = [];
    while (queue.turn((work) => steps.push(work.name) > 0 && (work.left -= 1) > 0));
    expect(steps).toEqual(['long', 'short', 'long']);
    expect(queue.size).toBe(0);
  });
});
