import type { ServerResponse } from 'node:http';
import type { Answer } from './answer';

/** One model call, as the upstream saw it. */
export interface JournalEntry {
  /** The beginning of the newest user message: proofs put a name there. */
  text: string;
  promptTokens: number;
  completionTokens: number;
  /** Whether the answer was played to its end, or its reader left before. */
  ended: 'open' | 'whole' | 'left';
}

const MAX_CALLS = 20_000;
const TEXT_MAX = 80;

/** The latest calls, to compare a ledger with. */
export class CallJournal {
  private entries: JournalEntry[] = [];

  note(text: string, answer: Answer, response: ServerResponse): void {
    const entry: JournalEntry = { text: text.slice(0, TEXT_MAX), ...answer.usage, ended: 'open' };
    this.entries.push(entry);
    if (this.entries.length > 2 * MAX_CALLS) this.entries = this.entries.slice(-MAX_CALLS);
    response.once('close', () => {
      entry.ended = response.writableFinished ? 'whole' : 'left';
    });
  }

  read(): readonly JournalEntry[] {
    return this.entries;
  }
}
