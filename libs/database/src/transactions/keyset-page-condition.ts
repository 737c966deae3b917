/**
 * Condition for rows `x` of a list, newest first: after position (`at`, `id`), and before `to`. Merged into one bound,
 * since an index scan would start at the first of two and filter all rows in between.
 */
export const isBefore = (column: string, { at, id, to }: { at: string; id: string; to: string }): string =>
  `(${column}, x.id) < (least(${at}, ${to}), case when ${to} <= ${at} then '00000000-0000-0000-0000-000000000000'::uuid else ${id} end)`;
