import type { EndedWorkers, QueueSql, Read, Tx } from '@switchyard/database';
import type { Hold, RenewedRow } from './row-lease';

/** A Space's use of this process. */
export interface Holding {
  slots: number;
  bytes: number;
}

/**
 * How much a claim may take: `room` of all, `share` is what one payer may have of this process, `held` what each has by
 * now.
 */
export interface UnassignedCapacity {
  capacity: Holding;
  share: Holding;
  used: ReadonlyMap<string, Holding>;
  /** Of Spaces that do not pay for themselves, as far as they were seen here. */
  payers: ReadonlyMap<string, string>;
}

/** How the rows of one table stay with their workers. */
export interface LeasedRows<Renewed extends RenewedRow = RenewedRow> {
  /** Renews the leases that are still this worker's, and returns those rows. */
  keep(tx: Tx, worker: string, holds: readonly Hold[]): Promise<Renewed[]>;
  release(tx: Tx, hold: Hold): Promise<void>;
}

/**
 * How the rows of one table come to workers and stay with them. The statements belong to the service, because what
 * counts as waiting, busy or hopeless does; the rounds in which they are asked are the same everywhere. The claims are
 * statements and not questions, so that a round sends several in one packet.
 */
export interface Claims<Renewed extends RenewedRow = RenewedRow> extends LeasedRows<Renewed> {
  readonly queue: QueueSql;
  /** Finds a row if `claimLoose` could take one, given room. It has no updates: every round asks it. */
  anyLoose: Read;
  /** Finds a row if a worker holds one, or if one without a worker has to be ended. */
  anyLeased: Read;
  /** Finds a row while no queued row may be taken, because one that was lost runs alone. */
  noFresh: Read;
  /** Claims rows in progress without a lease, within the share of their Spaces. */
  claimLoose(worker: string, capacity: UnassignedCapacity): Read;
  /** Takes the queued rows that `chosen` names; the parameters of its own begin at $6. Gives them as claimed. */
  claimQueued(worker: string, chosen: string): Read;
  workersHolding(tx: Tx): Promise<string[]>;
  /** Sets rows free whose worker has ended. */
  releaseLapsed(tx: Tx, workers: EndedWorkers): Promise<number>;
}
