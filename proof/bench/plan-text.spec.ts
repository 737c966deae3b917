import { ofEachAnswer, planText, plansIn } from './plan-text';

const plan = (text: string): string =>
  JSON.stringify({
    'Query Text': text,
    Plan: {
      'Node Type': 'Limit',
      'Actual Total Time': 1.25,
      'Actual Rows': 20,
      'Actual Loops': 1,
      'Shared Hit Blocks': 7,
      'Shared Read Blocks': 3,
      Plans: [
        {
          'Node Type': 'Index Scan',
          'Index Name': 'ledger_order',
          'Actual Total Time': 1.2,
          'Actual Rows': 20,
          'Actual Loops': 1,
          'Rows Removed by Filter': 1_000,
        },
        {
          'Node Type': 'Seq Scan',
          'Relation Name': 'accounts',
          'Actual Total Time': 0.1,
          'Actual Rows': 5,
          'Actual Loops': 2,
        },
      ],
    },
  });

const line = (text: string): string =>
  `2026-11-27 06:38:28 UTC [12] LOG:  duration: 1.250 ms  plan:\n\t${plan(text)}\n`;

test('the plans of a log are found among its other lines, but for those of what a service does by itself', () => {
  const log = `2026-11-27 06:38:28 UTC [12] LOG:  checkpoint starting\n${line('select 1 from ledger')}${line('delete from outbox')}`;
  expect(plansIn(log).map((each) => each['Query Text'])).toEqual(['select 1 from ledger']);
});

test('a plan says by what rows were found, and counts those that were read in vain and in each loop', () => {
  const [found] = plansIn(line('select 1'));
  expect(found && planText(found.Plan)).toBe('ledger_order, all of accounts; 1,030 rows read, 10 pages, 1.3 ms');
});

test('a statement that only one of several answers met, as of a round of the service, is not the plan', () => {
  const own = plansIn(line('select 1 from ledger'));
  const round = own.map((plan) => ({
    'Query Text': 'select 1 from turns',
    Plan: { ...plan.Plan, 'Actual Total Time': 9 },
  }));
  expect(ofEachAnswer([own, own, [...own, ...round]])).toMatch(/1\.3 ms$/);
  expect(ofEachAnswer([[], round])).toBe('');
});

test('the plan of an answer is the one that read the most pages, also if a statement without a table took longer', () => {
  const own = plansIn(line('select 1 from ledger'));
  const settings = own.map(({ Plan }) => ({
    'Query Text': 'select set_config(...)',
    Plan: { ...Plan, 'Actual Total Time': 9, 'Shared Hit Blocks': 0, 'Shared Read Blocks': 0, Plans: [] },
  }));
  const answer = [...settings, ...own];
  expect(ofEachAnswer([answer, answer])).toMatch(/^ledger_order.* 10 pages, 1\.3 ms$/);
});
