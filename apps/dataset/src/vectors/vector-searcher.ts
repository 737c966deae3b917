import type { Scored } from './nearest-vectors';

/** The vectors of one dataset, open for one search. The caller must release it. */
export interface VectorSearcher {
  nearest(field: number, query: Float32Array, count: number): Promise<Scored[]>;
  /** Exact, among the given records only. */
  among(field: number, query: Float32Array, ids: string[], count: number): Promise<Scored[]>;
  release(): void;
}
