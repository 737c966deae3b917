import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/**
 * One request of the load and what its caller learnt: `accepted` must be there, `refused` must not, and after
 * `unknown` (no answer, or one that says nothing about the effect) either may be.
 */
export interface LoggedOperation {
  key: string;
  /** Payload of the key. The key with a different payload must be refused. */
  payload: Record<string, unknown>;
  outcome: 'accepted' | 'duplicate' | 'refused' | 'unknown';
  status: number | null;
  envelopeId: string | null;
  startedAt: number;
  endedAt: number;
}

const SYNC_EVERY = 200;

/** Kept on the disk as it grows, so that a run that dies can still be judged. */
export class History {
  readonly operations: LoggedOperation[] = [];
  private readonly file: number;
  private unsynced = 0;

  constructor(path: string) {
    this.file = openSync(path, 'a');
  }

  add(operation: LoggedOperation): void {
    this.operations.push(operation);
    this.write(operation);
  }

  note(fact: Record<string, unknown>): void {
    this.write(fact);
  }

  close(): void {
    fsyncSync(this.file);
    closeSync(this.file);
  }

  private write(line: object): void {
    writeSync(this.file, `${JSON.stringify(line)}\n`);
    this.unsynced += 1;
    if (this.unsynced < SYNC_EVERY) return;
    this.unsynced = 0;
    fsyncSync(this.file);
  }
}
