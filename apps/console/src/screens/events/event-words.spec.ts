/// <reference types="jest" />
import type { Subscription } from '@switchyard/client';
import { changesOf } from '../applications/manifest-changes';
import { fieldsOf, withValue } from './payload-fields';
import { whyUnmatched } from './unmatched-reasons';
import { sampleOf } from './sample-payload';

const subscription = (changes: Partial<Subscription> = {}): Subscription => ({
  id: 's',
  taskId: 't',
  endpointId: null,
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

describe('the fields of a payload', () => {
  const schema = {
    required: ['order', 'kind'],
    properties: {
      paid: { type: 'boolean' },
      kind: { enum: ['web', 'shop'] },
      order: { type: 'string', description: 'Its number.' },
      pieces: { type: 'integer' },
      lines: { type: 'array' },
      note: { type: ['string', 'null'] },
    },
  };

  it('are by type, what is asked for first, and JSON for the rest', () => {
    expect(fieldsOf(schema).map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
      ['kind', ['web', 'shop'], true],
      ['order', 'text', true],
      ['paid', 'boolean', false],
      ['pieces', 'number', false],
      ['lines', 'json', false],
      ['note', 'json', false],
    ]);
    expect([null, true, {}, { properties: 3 }, { type: 'object' }].flatMap((none) => fieldsOf(none))).toEqual([]);
  });

  it('change the payload in their place, and leave the rest of it', () => {
    expect(JSON.stringify(withValue({ a: 1, b: 2 }, 'a', 3))).toBe('{"a":3,"b":2}');
    expect(withValue({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 });
    expect(withValue({ b: 2 }, 'a', 1)).toEqual({ b: 2, a: 1 });
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
      'event b: schema.type changes from "object" to "string"',
      'event c is added',
      'event a goes',
      'default subscriptions change',
    ]);
  });

  it('says what is another inside of an event', () => {
    const before = {
      required: ['total', 'order'],
      properties: { total: { type: 'number' }, order: { type: 'string' } },
    };
    const after = { required: ['total', 'at'], properties: { total: { type: 'integer' }, at: { type: 'string' } } };
    const manifest = (schema: Record<string, unknown>) => ({
      ...old,
      events: [{ name: 'a', description: 'Same', schema }],
    });
    expect(changesOf(manifest(before), manifest(after))).toEqual([
      'event a: schema.required gets "at"',
      'event a: schema.required loses "order"',
      'event a: schema.properties.total.type changes from "number" to "integer"',
      'event a: schema.properties.order is removed',
      'event a: schema.properties.at is added ({"type":"string"})',
    ]);
  });

  it('does not break on what is no manifest', () => {
    expect(changesOf(old, { events: [null, 3, {}] })).toContain('event a goes');
  });
});
