import type { Scored } from './nearest-vectors';

/** Messages from the main thread to the index thread. An index is one field of one dataset of a Space. */
export type IndexRequest = { spaceId: string; index: string } & (
  | { kind: 'put'; ids: string[]; revisions: number[]; vectors: Float32Array; dimensions: number }
  | { kind: 'remove'; ids: string[] }
  | { kind: 'search'; query: Float32Array; count: number }
  | { kind: 'searchAmong'; query: Float32Array; count: number; ids: string[] }
  /** Vectors that are compared and not kept. */
  | { kind: 'compare'; query: Float32Array; count: number; ids: string[]; vectors: Float32Array }
  | { kind: 'drop' }
);

export interface IndexReply {
  number: number;
  hits: Scored[];
  /** Memory of the index; null if there is none. */
  bytes: number | null;
  error?: string;
}

export interface Numbered {
  number: number;
  request: IndexRequest;
}
