import type { OnConflict } from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';
import type { Column, Layout } from './table-layout';
import type { WrittenValues } from './parse-records';

export interface UpsertPlan {
  inserts: { id: string; values: WrittenValues }[];
  merges: { id: string; values: WrittenValues }[];
  /** For each record of the batch, the id of the row that it became or met. */
  ids: string[];
  inserted: number;
  updated: number;
  skipped: number;
}

/** The column that `onConflict` names; only a unique one says which record is meant. */
export function conflictColumn(layout: Layout, onConflict: OnConflict): Column {
  const column = layout.byName.get(onConflict.field);
  if (column === undefined) throw invalid('onConflict.field', `there is no field called ${onConflict.field}`);
  if (column.field.unique !== true)
    throw invalid('onConflict.field', `${onConflict.field} is not unique in the schema`);
  return column;
}

/** Two spellings of one decimal are one key, and zero has no sign. */
export const keyOf = (column: Column, value: unknown): string => {
  const text = String(value);
  if (column.type !== 'decimal') return text;
  const plain = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return plain === '-0' ? '0' : plain;
};

/**
 * Plays a batch in its order against the records that exist: the first of a key is inserted, what follows updates it
 * or is skipped. So a batch does what its records would do one by one.
 */
export function planUpsert(
  column: Column,
  action: OnConflict['action'],
  rows: readonly { id: string; values: WrittenValues }[],
  existing: ReadonlyMap<string, string>,
): UpsertPlan {
  const plan: UpsertPlan = { inserts: [], merges: [], ids: [], inserted: 0, updated: 0, skipped: 0 };
  const slots = new Map<string, { id: string; values: WrittenValues }>();
  for (const row of rows) {
    const value = row.values[column.sql];
    const key = value === undefined || value === null ? null : keyOf(column, value);
    const cached = key === null ? undefined : (slots.get(key) ?? startMerge(existing.get(key)));
    if (cached === undefined) {
      const fresh = { id: row.id, values: { ...row.values } };
      plan.inserts.push(fresh);
      plan.inserted += 1;
      plan.ids.push(fresh.id);
      if (key !== null) slots.set(key, fresh);
      continue;
    }
    plan.ids.push(cached.id);
    if (action === 'SKIP') {
      plan.skipped += 1;
      continue;
    }
    plan.updated += 1;
    if (key !== null && !slots.has(key)) {
      slots.set(key, cached);
      plan.merges.push(cached);
    }
    for (const [name, written] of Object.entries(row.values)) cached.values[name] = written;
  }
  return plan;
}

const startMerge = (id: string | undefined): { id: string; values: WrittenValues } | undefined =>
  id === undefined ? undefined : { id, values: {} };
