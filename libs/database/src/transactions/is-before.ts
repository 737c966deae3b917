/**
 * A condition for rows `x` of a list, newest first: behind the place (`at`, `id`) of the last row that the reader has, and
 * before `to`. The two are one bound: of two, an index scan begins at the first, and reads all rows between them.
 */
export const isBefore = (column: string, { at, id, to }: { at: string; id: string; to: string }): string =>
  `(${column}, x.id) < (least(${at}, ${to}), case when ${to} <= ${at} then '00000000-0000-0000-0000-000000000000'::uuid else ${id} end)`;
