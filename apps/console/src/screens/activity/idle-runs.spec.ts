import type { Execution } from '@switchyard/client';
import { didNothing } from './idle-runs';

type RunStep = Execution['steps'][number];
const step = (type: RunStep['type'], status: RunStep['status'], input: unknown = null): RunStep =>
  ({ id: 's', type, status, input }) as RunStep;
const SKIPPED = step('agent', 'SKIPPED');

describe('a scheduled run that did nothing', () => {
  it.each<[boolean, string, Execution['status'], RunStep[]]>([
    [true, 'was skipped', 'SKIPPED', []],
    [
      true,
      'read a dataset and skipped the rest',
      'SUCCEEDED',
      [step('dataset', 'SUCCEEDED', { operation: 'query' }), SKIPPED],
    ],
    [true, 'sent a GET and skipped the rest', 'SUCCEEDED', [step('http', 'SUCCEEDED', { url: 'https://a' }), SKIPPED]],
    [true, 'skipped all steps', 'SUCCEEDED', [SKIPPED]],
    [false, 'wrote to a dataset', 'SUCCEEDED', [step('dataset', 'SUCCEEDED', { operation: 'insert' }), SKIPPED]],
    [false, 'sent a POST', 'SUCCEEDED', [step('http', 'SUCCEEDED', { method: 'POST' }), SKIPPED]],
    [false, 'ran all steps', 'SUCCEEDED', [step('transform', 'SUCCEEDED')]],
    [false, 'failed', 'FAILED', [SKIPPED]],
    [false, 'has an input that is left out', 'SUCCEEDED', [step('dataset', 'SUCCEEDED'), SKIPPED]],
  ])('%s: one that %s', (expected, _, status, steps) => {
    expect(didNothing({ status, steps })).toBe(expected);
  });
});
