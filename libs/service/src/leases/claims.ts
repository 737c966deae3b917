import type { Read, Tx } from '@switchyard/database';
import type { Hold, KeptRow } from './hold';

/**
 * How the rows of one table come to workers and stay with them. The statements belong to the service, because what
 * counts as waiting, busy or hopeless does; the rounds in which they are asked are the same everywhere. The claims are
 * statements and not questions, so that a round sends several in one packet.
 */
export interface Claims<Kept extends KeptRow = KeptRow> {
  /** Takes rows that are under way and that nobody holds: gives them as claimed. */
  claimLoose(worker: string, room: number): Read;
  /** The Spaces with something in the queue: gives `space_id`. */
  spacesWaiting(): Read;
  /** Keeps other claims of the Space waiting, so that what is running is counted from rows that stay. */
  lockSpace(spaceId: string): Read;
  /** Takes queued rows of one Space under its limits: gives them as claimed. */
  claimQueued(spaceId: string, worker: string, limits: { space: number; room: number }): Read;
  /** Keeps what is still held, and says which. */
  keep(tx: Tx, worker: string, holds: readonly Hold[]): Promise<Kept[]>;
  release(tx: Tx, hold: Hold): Promise<void>;
  workersHolding(tx: Tx): Promise<string[]>;
  /** Sets rows free whose worker has not been heard of, or is known to be gone. */
  releaseLost(tx: Tx, gone: string[]): Promise<number>;
}
