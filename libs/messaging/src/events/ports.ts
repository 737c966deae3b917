import type { IdlePoller } from '@switchyard/concurrency';
import type { EnvelopeCtx } from '../signing/envelope';

/** One announced event, as the outbox keeps it until every consumer has confirmed it. */
export interface OutboxRow {
  id: string;
  name: string;
  at: string;
  ctx: EnvelopeCtx;
  data: unknown;
  /** Messages with one key are handled in order. */
  orderKey: string | null;
  /** The services that have not confirmed yet. */
  pending: string[];
  epoch: number;
}

/** What the outbox runner needs of a service's database. */
export interface OutboxStore {
  /** Sees for an idle runner whether something is queued or due. */
  readonly lookout?: IdlePoller;
  /** Called right after each commit, with the rows that this process publishes; with none where they are queued. */
  onAnnounced(listener: (rows: OutboxRow[]) => void): void;
  /**
   * Takes rows whose publisher has been silent for too long; each is handed out to one caller. No more than may be in memory
   * together: `hasMore` says whether to ask again at once.
   */
  claimDue(limit: number): Promise<{ rows: OutboxRow[]; hasMore: boolean }>;
  /**
   * Takes events that wait for their turn, in their order; those of one order key go to one caller at a time. No more than
   * may be in memory together.
   */
  claimQueued(limit: number): Promise<OutboxRow[]>;
  /** Of a claim of queued events: those that were published, those whose turn comes again, and those that were refused. */
  dequeue(published: string[], others: string[], refused: string[]): Promise<void>;
  confirm(consumer: string, ids: string[]): Promise<void>;
  /** Rows that nobody has to confirm leave once JetStream has them. */
  settle(ids: string[]): Promise<void>;
  /** The carrier has no room for these: they are due after the pause, as if they had not been claimed. */
  postpone(ids: string[], ms: number): Promise<void>;
  /** The carrier lost what it held: everything unconfirmed is due again. */
  unlockAll(): Promise<void>;
}

export interface InboxMessage {
  consumer: string;
  id: string;
  name: string;
  spaceId: string | null;
  body: string;
}

/** What the event consumers need of a service's database. */
export interface InboxStore {
  /** Sees for an idle process whether a dead letter was sent back. */
  readonly lookout?: IdlePoller;
  /** Runs the effect and notes the message as seen in one transaction; a message seen before has no effect. */
  receive(message: InboxMessage, effect: (tx: unknown) => Promise<void>): Promise<'done' | 'seen'>;
  /** Counts a failure; after the last attempt the message is put among the dead letters. */
  fail(message: InboxMessage, error: string): Promise<{ dead: boolean }>;
  /** Dead letters that an operator wants tried again; each is handed out anew after a minute until it is dropped or dead again. */
  takeRequeued(limit: number): Promise<InboxMessage[]>;
  /** It was handled: the letter has done its duty. */
  dropDead(message: InboxMessage): Promise<void>;
  /**
   * Of a message that was sent or delivered before. `suspect`: a process was lost, and it may be to blame.
   */
  look(message: InboxMessage): Promise<'new' | 'seen' | 'suspect'>;
  /**
   * A message that was delivered before, and may have ended the process that had it: marks it as running alone. `seen`: its
   * effect is there. `elsewhere`: another process runs it now. `lost`: it has ended two processes.
   */
  beginAlone(message: InboxMessage): Promise<'alone' | 'seen' | 'elsewhere' | 'lost'>;
  /** `isOver`: it need not be watched any more. */
  endAlone(message: InboxMessage, isOver: boolean): Promise<void>;
  /** Puts a message that has ended two processes among the dead letters. */
  giveUp(message: InboxMessage): Promise<void>;
  /** Whether the failure may come from the weight of the message: a statement that took too long. */
  isTimeout(error: unknown): boolean;
  isReachable(): Promise<boolean>;
}

export const OUTBOX_STORE = Symbol('OUTBOX_STORE');
export const INBOX_STORE = Symbol('INBOX_STORE');
