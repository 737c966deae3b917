import type { Scored } from './vector-index';

/** What the main thread asks of the thread that holds the indexes. An index is one field of one dataset. */
export type IndexRequest =
  | { kind: 'put'; index: string; ids: string[]; revisions: number[]; vectors: Float32Array; dimensions: number }
  | { kind: 'remove'; index: string; ids: string[] }
  | { kind: 'search'; index: string; query: Float32Array; count: number }
  | { kind: 'searchAmong'; index: string; query: Float32Array; count: number; ids: string[] }
  | { kind: 'drop'; index: string };

export interface IndexReply {
  number: number;
  hits: Scored[];
  bytes: number;
  error?: string;
}

export interface Numbered {
  number: number;
  request: IndexRequest;
}
