/// <reference types="jest" />
import type { Subscription } from '@switchyard/client';
import { changesOf } from '../applications/manifest-changes';
import { whyUnmatched } from './reasons';
import { sampleOf } from './sample';

const subscription = (changes: Partial<Subscription> = {}): Subscription => ({
  id: 's',
  taskId: 't',
  eventId: 'e',
  appIdentifier: 'shop',
  event: 'order.paid',
  origin: 'USER',
  filter: null,
  active: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...changes,
});

describe('why a subscription was not triggered', () => {
  const dispatched = {
    status: 'DISPATCHED',
    emittedAt: '2026-02-01T00:00:00.000Z',
    dispatchedAt: '2026-02-01T00:00:01.000Z',
  } as const;

  it.each([
    ['it is younger than the dispatch', { createdAt: '2026-03-01T00:00:00.000Z', active: false }, /after the dispatch/],
    ['it is off', { active: false, filter: { total: 1 } }, /switched off\.$/],
    ['its filter', { filter: { total: 1 } }, /filter does not fit/],
    ['it was another then', {}, /when the event was dispatched/],
  ])('is told: %s', (_why, changes, words) => {
    expect(whyUnmatched(dispatched, subscription(changes))).toMatch(words);
  });

  it.each([
    ['PENDING', /not dispatched/],
    ['SKIPPED', /skipped/],
    ['FAILED', /replayed/],
  ] as const)('is the state of the emission first: %s', (status, words) => {
    expect(whyUnmatched({ ...dispatched, status }, subscription({ active: false }))).toMatch(words);
  });
});

describe('a payload to begin with', () => {
  it('has what the schema asks for', () => {
    const schema = {
      type: 'object',
      required: ['order', 'kind', 'lines', 'at', 'unknown'],
      properties: {
        order: { type: 'string' },
        kind: { enum: ['web', 'shop'] },
        lines: { type: 'array', items: {} },
        at: { type: 'object', properties: { x: { type: 'integer', minimum: 3 }, y: { default: 9 } } },
        other: { type: 'boolean' },
      },
    };
    expect(sampleOf(schema)).toEqual({ order: '', kind: 'web', lines: [], at: { x: 3, y: 9 }, unknown: null });
  });

  it('does not break on a schema that says nothing, or everything wrong', () => {
    expect([true, null, {}, { type: 7 }, { properties: [] }].map((schema) => sampleOf(schema))).toEqual(
      Array.from({ length: 5 }, () => null),
    );
  });
});

describe('what an upgrade changes', () => {
  const event = (name: string, type: string) => ({ name, schema: { type } });
  const old = {
    identifier: 'shop',
    name: 'Shop',
    version: '1.0.0',
    events: [event('a', 'object'), event('b', 'object')],
  };

  it('is told by what comes, changes and goes', () => {
    expect(changesOf(old, old)).toEqual([]);
    const next = {
      ...old,
      version: '1.1.0',
      events: [event('b', 'string'), event('c', 'object')],
      subscriptions: [{}],
    };
    expect(changesOf(old, next)).toEqual([
      'version: 1.0.0 becomes 1.1.0',
      'event b changes',
      'event c is added',
      'event a goes',
      'default subscriptions change',
    ]);
  });

  it('does not break on what is no manifest', () => {
    expect(changesOf(old, { events: [null, 3, {}] })).toContain('event a goes');
  });
});
