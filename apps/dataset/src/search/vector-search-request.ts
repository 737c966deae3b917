import type { Filter } from '@switchyard/kernel';
import type { Column, Layout } from '../domain/table-layout';

/** A vector search as the caller meant it. */
export interface VectorSearch {
  layout: Layout;
  columns: Column[];
  filter: Filter;
  fields: ReadonlySet<string> | null;
  topK: number;
  minScore: number;
}

/** More than asked for is looked at, because some may have been deleted since. */
export const SPARE = 16;

/** Matches of a filter that are scored one by one; past it the best of the whole dataset have to do. */
export const MAX_SCORED = 500_000;
