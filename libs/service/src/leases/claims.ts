import type { Tx } from '@switchyard/database';
import type { ClaimedRow, Hold, KeptRow } from './hold';

/**
 * How the rows of one table come to workers and stay with them. The statements belong to the service, because what
 * counts as waiting, busy or hopeless does; the rounds in which they are asked are the same everywhere.
 */
export interface Claims<Claimed extends ClaimedRow, Kept extends KeptRow = KeptRow> {
  /** Spaces with something in the queue. */
  spacesWaiting(tx: Tx): Promise<string[]>;
  /** Takes queued rows of one Space under its limits, counted from the rows behind a lock of the Space. */
  claimQueued(tx: Tx, spaceId: string, worker: string, limits: { space: number; room: number }): Promise<Claimed[]>;
  /** Takes rows that are under way and that nobody holds. */
  claimLoose(tx: Tx, worker: string, room: number): Promise<Claimed[]>;
  /** Keeps what is still held, and says which. */
  keep(tx: Tx, worker: string, holds: readonly Hold[]): Promise<Kept[]>;
  release(tx: Tx, hold: Hold): Promise<void>;
  workersHolding(tx: Tx): Promise<string[]>;
  /** Sets rows free whose worker has not been heard of, or is known to be gone. */
  releaseLost(tx: Tx, gone: string[]): Promise<number>;
}
