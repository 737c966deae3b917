import type { Manifest } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import { checkManifest } from './manifest-rules';

const manifest = (changes: Partial<Manifest>): Manifest => ({
  identifier: 'shop',
  name: 'Shop',
  version: '1.0.0',
  events: [{ name: 'order.created', schema: {} }],
  ...changes,
});

const pathsOf = (changes: Partial<Manifest>): string[] => {
  try {
    checkManifest(manifest(changes));
    return [];
  } catch (error) {
    return (error as AppError).details?.map((detail) => detail.path) ?? [];
  }
};

describe('a manifest', () => {
  it('may bring subscriptions to tasks of its own and of the Space', () => {
    const subscriptions = [
      { event: 'order.created', task: { name: 'a' }, filter: { total: { gt: 5 } } },
      { event: 'order.created', taskId: '00000000-0000-7000-8000-000000000000' },
    ];
    expect(pathsOf({ subscriptions })).toEqual([]);
  });

  it('declares each event once', () => {
    const event = { name: 'a', schema: {} };
    expect(pathsOf({ events: [event, event] })).toEqual(['manifest.events[1].name']);
  });

  it('subscribes only to its own events, with exactly one task, which is an EVENT task', () => {
    expect(pathsOf({ subscriptions: [{ event: 'other', task: {} }] })).toEqual(['manifest.subscriptions[0].event']);
    expect(pathsOf({ subscriptions: [{ event: 'order.created' }] })).toEqual(['manifest.subscriptions[0]']);
    expect(pathsOf({ subscriptions: [{ event: 'order.created', task: {}, taskId: 'x' }] })).toEqual([
      'manifest.subscriptions[0]',
    ]);
    expect(pathsOf({ subscriptions: [{ event: 'order.created', task: { type: 'MANUAL' } }] })).toEqual([
      'manifest.subscriptions[0].task.type',
    ]);
  });

  it('is bounded in all its schemas together', () => {
    const schema = { allOf: Array.from({ length: 900 }, () => ({})) };
    const events = ['a', 'b', 'c', 'd'].map((name) => ({ name, schema }));
    expect(pathsOf({ events: events.slice(0, 3) })).toEqual([]);
    expect(pathsOf({ events })).toEqual(['manifest.events']);
  });

  it('is refused for a filter that is none, and says where', () => {
    expect(pathsOf({ subscriptions: [{ event: 'order.created', task: {}, filter: { a: { near: 1 } } }] })).toEqual([
      'manifest.subscriptions[0].filter.a.near',
    ]);
    const emitOn = { dataset: 'x', operations: ['insert' as const], filter: { a: {} } };
    expect(pathsOf({ events: [{ name: 'a', schema: {}, emitOn }] })).toEqual(['manifest.events[0].emitOn.filter.a']);
  });
});
