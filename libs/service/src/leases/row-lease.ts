/** A worker's lease. Every write checks it, and does nothing if another worker has the row. */
export interface Hold {
  spaceId: string;
  id: string;
  epoch: number;
  worker: string;
}

/** A late write: another worker has the row, or it has ended. */
export class LeaseLost extends Error {}

/** A row that has just been claimed: the epoch is the one that the claim gave it. */
export interface ClaimedRow {
  spaceId: string;
  id: string;
  epoch: number;
  /** The memory that the row takes; work that grows updates it. */
  bytes: number;
}

export interface RenewedRow {
  id: string;
  epoch: number;
}
