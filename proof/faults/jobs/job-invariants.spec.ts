import { type JobFound, jobViolations } from './job-invariants';

const job = { id: 'j', name: 'turn-0', phase: 'SUCCEEDED', attempt: 1, maxAttempts: 3, turns: 1 };
const outcome = {
  name: 'turn-0',
  ids: ['j'],
  isCancelled: false,
  phase: 'SUCCEEDED',
  progress: [5, 100],
  questions: [null],
};
const callback = { webhookId: 'w', name: 'turn-0', type: 'agent_job.succeeded' };
const turn = { name: 'turn-0', turnId: 't' };

const sound: JobFound = {
  outcomes: [outcome],
  jobs: [job],
  turns: [turn],
  callbacks: [callback, callback],
  busiest: 8,
  limit: 8,
  ledger: { debits: 1, sum: 990, balance: 990, reserved: 0 },
  upstreamCalls: 1,
  changes: [],
  unexpectedEnds: [],
};

const rulesBroken = (changes: Partial<JobFound>): string[] => [
  ...new Set(jobViolations({ ...sound, ...changes }).map(({ rule }) => rule)),
];

describe('the rules for jobs', () => {
  it('hold for a run in which nothing went wrong', () => {
    expect(rulesBroken({})).toEqual([]);
    const turns = [turn, { ...turn, turnId: 't2' }];
    expect(rulesBroken({ jobs: [{ ...job, attempt: 2, turns: 2 }], turns })).toEqual([]);
  });

  it.each<[string, Partial<JobFound>, string]>([
    ['two jobs for a key', { jobs: [job, { ...job, id: 'k' }] }, 'a key is one job, however often it was sent'],
    [
      'two ids for a key',
      { outcomes: [{ ...outcome, ids: ['j', 'k'] }] },
      'a key is one job, however often it was sent',
    ],
    [
      'a job without an end',
      { jobs: [{ ...job, phase: 'RUNNING' }] },
      'a job comes to one end, and its submitter sees it',
    ],
    ['progress that falls', { outcomes: [{ ...outcome, progress: [50, 5] }] }, 'progress never goes back'],
    [
      'a question that comes back',
      { outcomes: [{ ...outcome, questions: ['q', null, 'q'] }] },
      'a question that was answered is not asked again',
    ],
    [
      'a second turn in one attempt',
      { turns: [turn, { ...turn, turnId: 't2' }] },
      'an attempt is one turn, whoever carries it out',
    ],
    ['turns that are not found', { turns: [] }, 'an attempt is one turn, whoever carries it out'],
    ['an attempt too many', { jobs: [{ ...job, attempt: 4 }] }, 'attempts keep to their limit'],
    ['an early failure', { jobs: [{ ...job, phase: 'FAILED' }] }, 'a job fails only when its attempts are used up'],
    ['an end that is not told', { callbacks: [] }, 'an end is told, with one id however often'],
    [
      'an end that is told under two ids',
      { callbacks: [callback, { ...callback, webhookId: 'v' }] },
      'an end is told, with one id however often',
    ],
    ['one job too many at a time', { busiest: 9 }, 'no more run than may'],
    ['a debit without a call', { upstreamCalls: 0 }, 'what is paid was called'],
    ['a process that ended by itself', { unexpectedEnds: ['job.log: a rejection'] }, 'no process ends by itself'],
  ])('find %s', (_, changes, rule) => {
    expect(rulesBroken(changes)).toContain(rule);
  });
});
