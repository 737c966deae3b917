export interface CountRequest {
  id: number;
  texts: string[];
  /** When this time is up, the bytes of the rest count. */
  budgetMs: number;
}

export interface CountReply {
  id: number;
  counts: number[];
  /** Whether all of it was counted by the tokenizer. */
  isExact: boolean;
}

/** The first message of a thread: its tables are loaded. */
export const READY = 'ready';
