import { ADMIT_KEYED, BOOK } from './books.sql';

it.each([
  ['BOOK', BOOK],
  ['ADMIT_KEYED', ADMIT_KEYED],
])('%s knows one day and one month, also at midnight', (_, sql) => {
  expect(sql).toContain('statement_timestamp()');
  expect(sql).not.toContain('clock_timestamp() at time zone');
});
