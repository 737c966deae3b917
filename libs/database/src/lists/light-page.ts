import { PAGE_BYTES } from '@switchyard/kernel';

/** Beside the columns of a row of a light page. */
export interface Weighed {
  /** Rows that were found, those included that are too heavy for this page. */
  found: number;
}

/**
 * The rows of `page` that an answer can hold, at least one: the database weighs them, so that none of the others is
 * loaded. `columns` are those that can be long, as they are in the page; `order` is how the page is sorted.
 */
export const lightPage = (page: string, order: string, columns: readonly string[]): string => {
  const weight = columns.map((column) => `coalesce(octet_length(${column}::text), 0)`).join(' + ');
  return `select * from (
     select *, sum(${weight}) over (order by ${order} rows unbounded preceding) as weight, count(*) over ()::int as found,
       row_number() over (order by ${order}) as place
     from (${page}) page) weighed
   where weight <= ${PAGE_BYTES} or place = 1 order by ${order}`;
};
