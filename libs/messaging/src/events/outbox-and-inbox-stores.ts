import type { IdlePoller } from '@switchyard/concurrency';
import type { EnvelopeCtx } from '../signing/envelope';

/** A published event in the outbox, until every consumer has confirmed it. */
export interface OutboxRow {
  id: string;
  name: string;
  at: string;
  ctx: EnvelopeCtx;
  data: unknown;
  /** Messages with the same key are handled in order. */
  orderKey: string | null;
  /** Services that have not confirmed yet. */
  pending: string[];
  epoch: number;
}

/** Database operations of the outbox runner. */
export interface OutboxStore {
  /** Polls for queued or due rows while the runner is idle. */
  readonly poller?: IdlePoller;
  /** Called right after each commit with the rows to publish; with none if they are queued. */
  onAnnounced(listener: (rows: OutboxRow[]) => void): void;
  /** Called after each commit in which a trigger of the database wrote rows, which are due. */
  onTriggerWrote?(listener: () => void): void;
  /**
   * Claims rows whose publisher has timed out; each goes to one caller. Limited by memory: `hasMore` says to call
   * again.
   */
  claimDue(limit: number): Promise<{ rows: OutboxRow[]; hasMore: boolean }>;
  /** Claims queued events in order; those of one order key go to one caller at a time. Limited by memory. */
  claimQueued(limit: number): Promise<OutboxRow[]>;
  /** Ends a claim of queued events: published, to be claimed again, and refused. */
  dequeue(published: string[], others: string[], refused: string[]): Promise<void>;
  confirm(consumer: string, ids: string[]): Promise<void>;
  /** Deletes published rows that need no confirmation. */
  settle(ids: string[]): Promise<void>;
  /** The stream is full: these are due after the delay, as if unclaimed. */
  postpone(ids: string[], ms: number): Promise<void>;
  /** JetStream lost its data: everything unconfirmed is due again. */
  unlockAll(): Promise<void>;
}

export interface InboxMessage {
  consumer: string;
  id: string;
  name: string;
  spaceId: string | null;
  body: string;
}

/** Database operations of the event consumers. */
export interface InboxStore {
  /** Polls for requeued dead letters while the process is idle. */
  readonly poller?: IdlePoller;
  /** Runs the effect and records the message in one transaction; a recorded message has no effect. */
  receive(message: InboxMessage, effect: (tx: unknown) => Promise<void>): Promise<'done' | 'seen'>;
  /** Counts a failure; after the last attempt the message becomes a dead letter. */
  fail(message: InboxMessage, error: string): Promise<{ dead: boolean }>;
  /** Dead letters to retry; each is returned again every minute until it is dropped or dead again. */
  takeRequeued(limit: number): Promise<InboxMessage[]>;
  /** Deletes a dead letter that was handled. */
  dropDead(message: InboxMessage): Promise<void>;
  /** Checks a redelivered message. `suspect`: a process crashed, possibly because of it. */
  stateOf(message: InboxMessage): Promise<'new' | 'seen' | 'suspect'>;
  /** Runs a suspect while fresh work of this process waits. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Marks a suspect as running alone. `seen`: its effect is committed. `elsewhere`: another process is running it.
   * `lost`: it has crashed two processes.
   */
  beginAlone(message: InboxMessage): Promise<'alone' | 'seen' | 'elsewhere' | 'lost'>;
  /** `isOver`: it need not be tracked any more. */
  endAlone(message: InboxMessage, isOver: boolean): Promise<void>;
  /** Moves a message that crashed two processes to the dead letters. */
  giveUp(message: InboxMessage): Promise<void>;
  /** Whether a statement timed out, possibly because the message is too large. */
  isTimeout(error: unknown): boolean;
  isReachable(): Promise<boolean>;
}

export const OUTBOX_STORE = Symbol('OUTBOX_STORE');
export const INBOX_STORE = Symbol('INBOX_STORE');
