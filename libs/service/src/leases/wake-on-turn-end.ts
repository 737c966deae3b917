import { ThrottledBatch } from '@switchyard/concurrency';
import { upToEntries } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';

export interface NamedTurn {
  spaceId: string;
  turnId: string;
}

/** Many turns may settle at the same time: those of so many milliseconds share a statement. */
const TOGETHER_MS = 5;
const REMEMBERED_MS = 60_000;

/**
 * Work that waits for a turn is stored with the turn's id and without a lease. When the turn settles, it is made due.
 * Signals between reading the turn and storing the wait are remembered, so that none is missed. If a signal is lost,
 * the work becomes due by itself later.
 */
export class WakeOnTurnEnd {
  private readonly recent = new LRUCache<string, true>({ ...upToEntries(10_000), ttl: REMEMBERED_MS });
  private readonly listeners: (() => void)[] = [];
  private readonly due = new ThrottledBatch<NamedTurn>(
    () => TOGETHER_MS,
    (turns) => this.flush([...turns]),
  );

  constructor(private readonly makeDue: (turns: readonly NamedTurn[]) => Promise<unknown>) {}

  /** Before a look at the turn: from here on, news of it are new. */
  beginLook({ spaceId, turnId }: NamedTurn): void {
    this.recent.delete(`${spaceId}/${turnId}`);
  }

  /** After the wait has been stored. */
  endLook(turn: NamedTurn): void {
    if (this.recent.has(`${turn.spaceId}/${turn.turnId}`)) this.due.add(turn);
  }

  settled(turn: NamedTurn): void {
    this.recent.set(`${turn.spaceId}/${turn.turnId}`, true);
    this.due.add(turn);
  }

  /** Told when work was made due. */
  onDue(listener: () => void): void {
    this.listeners.push(listener);
  }

  private async flush(turns: readonly NamedTurn[]): Promise<void> {
    await this.makeDue(turns).catch(() => undefined);
    for (const listener of this.listeners) listener();
  }
}
