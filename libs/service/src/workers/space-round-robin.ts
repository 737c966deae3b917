const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
/** So many steps for one Space, then the next one has its turn. */
const STEPS_AT_ONCE = 20;

export interface SpaceInRound {
  id: string;
  isDue: boolean;
}

/**
 * A round through the Spaces in the order of their ids, some at a time. No Space keeps the others from their turn: one
 * whose work fails is tried again in the next round, and one with much to do goes on there. That round begins at once
 * if a Space has more to do.
 */
export class SpaceRoundRobin {
  private after = BEFORE_ALL;
  private hasMore = false;
  private failure: Error | null = null;

  constructor(
    private readonly atOnce: number,
    /** At most `limit` Spaces behind `after`, in order. */
    private readonly find: (after: string, limit: number) => Promise<SpaceInRound[]>,
    /** One step for a Space. Says whether it has more to do. */
    private readonly work: (spaceId: string) => Promise<boolean>,
  ) {}

  /**
   * Works for the next Spaces that are due. Says whether there is more to do; when there is not, throws what has
   * failed.
   */
  async next(signal: AbortSignal): Promise<boolean> {
    const spaces = await this.find(this.after, this.atOnce);
    for (const { id, isDue } of spaces) {
      if (signal.aborted) return false;
      this.after = id;
      if (isDue) await this.workFor(id, signal);
    }
    if (spaces.length === this.atOnce) return true;
    const { hasMore, failure } = this;
    this.after = BEFORE_ALL;
    this.hasMore = false;
    if (hasMore) return true;
    this.failure = null;
    if (failure !== null) throw failure;
    return false;
  }

  private async workFor(spaceId: string, signal: AbortSignal): Promise<void> {
    try {
      for (let step = 0; step < STEPS_AT_ONCE && !signal.aborted; step += 1) if (!(await this.work(spaceId))) return;
      this.hasMore = true;
    } catch (error) {
      this.failure ??= new Error(`the work of Space ${spaceId} failed`, { cause: error });
    }
  }
}
