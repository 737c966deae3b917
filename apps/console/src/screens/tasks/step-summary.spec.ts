/// <reference types="jest" />
import { groupsOf, lineOf } from './step-summary';
import type { StepDraft } from './task-form';

const names = { agent: (id: string) => (id === 'a' ? 'Desk' : ''), dataset: () => 'Orders' };

describe('the line of a step', () => {
  it.each<[StepDraft['type'], unknown, string]>([
    [
      'http',
      { method: 'POST', url: 'https://stock.example/items/{{ execution.inputs.id }}/take' },
      'POST stock.example/items/…/take',
    ],
    ['http', { url: 'https://a.example' }, 'GET a.example'],
    ['agent', { agentId: 'a', inputs: { query: 'Thank for\n{{ x }}' } }, 'Desk: Thank for …'],
    ['agent', { agentId: 'gone' }, ''],
    ['dataset', { operation: 'insert', datasetId: 'd' }, 'insert Orders'],
    ['emit', { appIdentifier: 'shop', event: 'order.paid' }, 'shop · order.paid'],
    ['transform', { order: 1, total: 2 }, 'order, total'],
    ['wait', { seconds: 10 }, '10 s'],
    ['wait', { seconds: '{{ execution.inputs.pause }}' }, '…'],
    ['http', { method: 7, url: ['x'] }, 'GET'],
  ])('%s %j is %j', (type, value, line) => {
    expect(lineOf({ type, with: JSON.stringify(value) }, names)).toBe(line);
  });

  it('of text that is no JSON is empty', () => {
    expect(lineOf({ type: 'transform', with: '{"half' }, names)).toBe('');
  });
});

it('steps that follow each other under one condition are a group', () => {
  const groups = groupsOf([{ if: '' }, { if: '' }, { if: '{{ a }}' }, { if: ' {{ a }} ' }, { if: '{{ b }}' }]);
  expect(groups.map(({ condition, steps }) => [condition, steps.map(({ index }) => index)])).toEqual([
    ['', [0]],
    ['', [1]],
    ['{{ a }}', [2, 3]],
    ['{{ b }}', [4]],
  ]);
});
