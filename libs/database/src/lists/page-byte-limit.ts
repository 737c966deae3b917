import { PAGE_BYTES } from '@switchyard/kernel';

/** Extra columns of a light page. */
export interface Weighed {
  /** Number of rows found, including those over the byte limit. */
  found: number;
}

/**
 * Selects the rows of `page` that fit into a reply, at least one: the database measures them, so that no others are
 * loaded. `columns` may be long; `order` sorts the page.
 */
export const lightPage = (page: string, order: string, columns: readonly string[]): string => {
  const weight = columns.map((column) => `coalesce(octet_length(${column}::text), 0)`).join(' + ');
  return `select * from (
     select *, sum(${weight}) over (order by ${order} rows unbounded preceding) as weight, count(*) over ()::int as found,
       row_number() over (order by ${order}) as place
     from (${page}) page) weighed
   where weight <= ${PAGE_BYTES} or place = 1 order by ${order}`;
};
