const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export interface SpaceInRound {
  id: string;
  isDue: boolean;
}

/**
 * A round through the Spaces in the order of their ids, some at a time. Where the work of one Space fails, the next step
 * goes on behind it, and the next round tries it again: no Space keeps the others from their turn.
 */
export class SpaceRound {
  private after = BEFORE_ALL;

  constructor(
    private readonly atOnce: number,
    /** At most `limit` Spaces behind `after`, in order. */
    private readonly find: (after: string, limit: number) => Promise<SpaceInRound[]>,
  ) {}

  /** Works for the next Spaces that are due. Says whether this round goes on. */
  async next(work: (spaceId: string) => Promise<unknown>): Promise<boolean> {
    const spaces = await this.find(this.after, this.atOnce);
    for (const { id, isDue } of spaces) {
      this.after = id;
      if (isDue) await work(id);
    }
    if (spaces.length === this.atOnce) return true;
    this.after = BEFORE_ALL;
    return false;
  }
}
