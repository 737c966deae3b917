import { ADMIT, ADMIT_KEYED, SETTLE } from './ledger-batch.sql';

it.each([
  ['SETTLE', SETTLE],
  ['ADMIT', ADMIT],
  ['ADMIT_KEYED', ADMIT_KEYED],
])('%s knows one day and one month, also at midnight', (_, sql) => {
  expect(sql).toContain('statement_timestamp()');
  expect(sql).not.toContain('clock_timestamp() at time zone');
});
