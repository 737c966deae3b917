import { type RunRecords, violationsIn } from './invariants';

const operation = (key: string, changes: object = {}) => ({
  key,
  payload: { n: 1 },
  outcome: 'accepted' as const,
  status: 202,
  envelopeId: `e-${key}`,
  startedAt: 0,
  endedAt: 1,
  ...changes,
});
const emission = (key: string, changes: object = {}) => ({
  id: `e-${key}`,
  key,
  status: 'DISPATCHED',
  matched: 1,
  replays: 0,
  payload: { n: 1 },
  ...changes,
});
const delivery = (key: string, changes: object = {}) => ({
  id: `d-${key}`,
  envelopeId: `e-${key}`,
  subscriptionId: 's',
  replay: 0,
  status: 'TRIGGERED',
  executionId: `x-${key}`,
  ...changes,
});
const execution = (key: string, changes: object = {}) => ({
  id: `x-${key}`,
  taskId: 't',
  status: 'SUCCEEDED',
  envelopeId: `e-${key}`,
  steps: 1,
  ...changes,
});

const sound: RunRecords = {
  operations: [operation('a'), operation('bad', { outcome: 'refused', envelopeId: null })],
  emissions: [emission('a')],
  deliveries: [delivery('a')],
  executions: [execution('a')],
  subscriptions: new Map([['s', 't']]),
  outboxRows: 0,
  changes: [],
  unexpectedEnds: [],
};
const rulesBroken = (changes: Partial<RunRecords>): string[] => [
  ...new Set(violationsIn({ ...sound, ...changes }).map(({ rule }) => rule)),
];

describe('the invariants of a run', () => {
  it('hold for a sound one', () => {
    expect(violationsIn(sound)).toEqual([]);
  });

  it.each<[string, Partial<RunRecords>, string]>([
    [
      'a lost emission',
      { emissions: [], deliveries: [], executions: [] },
      'every accepted emission has exactly one envelope',
    ],
    ['a doubled emission', { emissions: [emission('a'), emission('a', { id: 'e-2' })] }, 'no key has two envelopes'],
    [
      'an envelope of a refused emission',
      { emissions: [emission('a'), emission('bad')] },
      'a refused emission has no envelope',
    ],
    [
      'another payload',
      { emissions: [emission('a', { payload: { n: 2 } })] },
      'an envelope holds the payload that was accepted',
    ],
    [
      'an envelope that waits',
      { emissions: [emission('a', { status: 'PENDING' })] },
      'nothing waits once all is quiet',
    ],
    ['an event in an outbox', { outboxRows: 1 }, 'nothing waits once all is quiet'],
    [
      'a delivery that was never made',
      { deliveries: [] },
      'each envelope, subscription and replay has exactly one delivery',
    ],
    [
      'a delivery to a stranger',
      { deliveries: [delivery('a'), delivery('a', { subscriptionId: 'other' })] },
      'each envelope, subscription and replay has exactly one delivery',
    ],
    ['a lost run', { executions: [] }, 'each delivery has exactly one execution of its task'],
    [
      'a doubled run',
      { executions: [execution('a'), execution('a', { id: 'x-2' })] },
      'each delivery has exactly one execution of its task',
    ],
    ['a wrong count', { emissions: [emission('a', { matched: 2 })] }, 'matched counts are what was delivered'],
    ['a step that ran twice', { executions: [execution('a', { steps: 2 })] }, 'no step is recorded twice'],
    ['a process that gave up', { unexpectedEnds: ['task: an unhandled rejection'] }, 'no process ends by itself'],
  ])('are broken by %s', (_what, changes, rule) => {
    expect(rulesBroken(changes)).toContain(rule);
  });

  it('expect one more run for each replay', () => {
    const replayed = { emissions: [emission('a', { replays: 1 })] };
    expect(rulesBroken(replayed)).toContain('each envelope, subscription and replay has exactly one delivery');
    const whole = {
      ...replayed,
      deliveries: [delivery('a'), delivery('a', { id: 'd-2', replay: 1, executionId: 'x-2' })],
      executions: [execution('a'), execution('a', { id: 'x-2' })],
    };
    expect(violationsIn({ ...sound, ...whole })).toEqual([]);
  });

  it('allow both outcomes if the outcome is unknown', () => {
    const unknown = operation('u', { outcome: 'unknown', envelopeId: null });
    expect(violationsIn({ ...sound, operations: [...sound.operations, unknown] })).toEqual([]);
  });
});
