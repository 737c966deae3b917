import { type StateChange, wrongChanges } from './audit';

const HOLDER = '0198c1a0-7d11-7000-8000-000000000001@abc123.4026531836.4711.998877';

const change = (changes: Partial<StateChange>): StateChange => ({
  table: 'job.jobs',
  id: 'j',
  from: 'RUNNING',
  to: 'SUCCEEDED',
  epochFrom: 2,
  epochTo: 2,
  worker: HOLDER,
  by: 'switchyard-job/4711',
  ...changes,
});

const by = 'switchyard-job/4712';

describe('what was written to rows with a state', () => {
  it.each<[string, Partial<StateChange>]>([
    ['its holder ends it', {}],
    ['its holder keeps it', { to: 'RUNNING' }],
    ['another process takes it, in a new epoch', { from: 'QUEUED', to: 'RUNNING', worker: null, epochTo: 3, by }],
    ['another process sets it free', { to: 'RUNNING', by }],
    ['another process ends what is over its time, in a new epoch', { to: 'TIMED_OUT', epochTo: 3, by }],
    ['another process cancels it', { to: 'CANCELLING', by }],
    ['a turn, for which the session service writes', { table: 'session.turns', to: 'COMPLETED', worker: null, by }],
  ])('is right when %s', (_, changes) => {
    expect(wrongChanges([change(changes)])).toEqual([]);
  });

  it.each<[string, Partial<StateChange>, RegExp]>([
    ['it has ended', { from: 'SUCCEEDED' }, /written again/],
    ['it goes where nothing leads', { from: 'QUEUED' }, /went from QUEUED to SUCCEEDED/],
    ['its epoch falls', { to: 'RUNNING', epochTo: 1 }, /epoch of j fell/],
    ['somebody else holds it', { by }, /by switchyard-job\/4712, while .*4711.* held it/],
    ['somebody else lets it wait', { to: 'WAITING_INPUT', by }, /while .* held it/],
    ['nobody holds it', { worker: null }, /while nobody held it/],
  ])('is wrong when %s', (_, changes, text) => {
    expect(wrongChanges([change(changes)])).toEqual([expect.stringMatching(text)]);
  });
});
