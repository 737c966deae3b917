/** Work of many Spaces: a Space after the other gets one step of its oldest work. */
export class SpaceStepQueue<T> {
  size = 0;
  /** In the order of their next turn. */
  private readonly queues = new Map<string, T[]>();

  add(spaceId: string, work: T): void {
    const queue = this.queues.get(spaceId);
    if (queue === undefined) this.queues.set(spaceId, [work]);
    else queue.push(work);
    this.size += 1;
  }

  /** Does one step; `step` says whether there is more to do. False when nothing waits. */
  turn(step: (work: T) => boolean): boolean {
    const next = this.queues.entries().next();
    if (next.done === true) return false;
    const [spaceId, queue] = next.value;
    this.queues.delete(spaceId);
    const work = queue.shift();
    if (work !== undefined && step(work)) queue.push(work);
    else this.size -= 1;
    if (queue.length > 0) this.queues.set(spaceId, queue);
    return true;
  }
}
