import type { ManifestSubscription } from '@switchyard/contracts';
import { type DefaultsPlan, planDefaults } from './default-subscriptions';
import type { ExistingDefault } from './match-manifest-subscriptions';

const plan = (
  declared: ManifestSubscription[],
  existing: ExistingDefault[] = [],
  tasks: { ofUser?: string[]; taken?: string[]; deleted?: string[] } = {},
): DefaultsPlan => {
  let made = 0;
  return planDefaults({
    declared,
    existing,
    brought: { taken: new Set(tasks.taken), deleted: new Set(tasks.deleted) },
    tasksOfUser: new Set(tasks.ofUser),
    newId: () => `new-${(made += 1)}`,
  });
};

const inline: ManifestSubscription = {
  event: 'order.created',
  task: { name: 'Pack', steps: [] },
  filter: { kind: 'a' },
};
const [made] = plan([inline]).create;
if (!made) throw new Error('the first plan makes a subscription');
const stored: ExistingDefault = { ...made, origin: 'DEFAULT' };

describe('default subscriptions', () => {
  it('are created with the task they bring, which is an EVENT task', () => {
    const { create, ensureTasks } = plan([inline]);
    expect(create).toMatchObject([{ event: 'order.created', bringsTask: true, filter: { kind: 'a' }, active: true }]);
    expect(ensureTasks).toEqual([{ taskId: create[0]?.taskId, body: { name: 'Pack', steps: [], type: 'EVENT' } }]);
  });

  it('are created for a task that is there, without touching it', () => {
    const { create, ensureTasks } = plan([{ event: 'e', taskId: 'task-1', active: false }]);
    expect(create).toMatchObject([{ taskId: 'task-1', bringsTask: false, active: false, filter: null }]);
    expect(ensureTasks).toEqual([]);
  });

  it('stay as they are when the manifest has not changed, and keep their task', () => {
    const same = plan([inline], [stored]);
    expect(same).toMatchObject({ create: [], change: [], remove: [], removeTasks: [] });
    expect(same.ensureTasks.map((task) => task.taskId)).toEqual([stored.taskId]);
  });

  it('follow the manifest in filter and activity', () => {
    expect(plan([{ ...inline, filter: { kind: 'b' }, active: false }], [stored]).change).toEqual([
      { id: stored.id, defaultKey: stored.defaultKey, filter: { kind: 'b' }, active: false },
    ]);
  });

  it('go with their task when the manifest drops them', () => {
    expect(plan([], [stored])).toMatchObject({ remove: [stored.id], removeTasks: [stored.taskId], releaseTasks: [] });
  });

  it('are left alone once a user has changed them', () => {
    const theirs: ExistingDefault = { ...stored, origin: 'USER', active: false };
    expect(plan([inline], [theirs])).toMatchObject({ create: [], change: [], remove: [], ensureTasks: [] });
    expect(plan([], [theirs])).toMatchObject({ remove: [], removeTasks: [], releaseTasks: [stored.taskId] });
  });

  it("are the user's once a user has changed their task", () => {
    const taken = { taken: [stored.taskId] };
    const kept = { take: [stored.id], create: [], change: [], remove: [], removeTasks: [], ensureTasks: [] };
    expect(plan([inline], [stored], taken)).toMatchObject({ ...kept, releaseTasks: [] });
    expect(plan([], [stored], taken)).toMatchObject({ ...kept, releaseTasks: [stored.taskId] });
  });

  it('are made anew, with a new task, where their task was deleted', () => {
    const withDeletedTask = { ...stored, id: 'lost', taskId: 'gone' };
    const tasks = { deleted: ['gone'] };
    expect(plan([inline], [withDeletedTask], tasks)).toMatchObject({
      remove: ['lost'],
      create: [{ event: 'order.created', taskId: 'new-1' }],
      removeTasks: [],
    });
    expect(plan([], [withDeletedTask], tasks)).toMatchObject({ remove: ['lost'], removeTasks: [] });
  });

  it('are known again when the manifest gives their task another name', () => {
    const renamed = { ...inline, task: { name: 'Pack faster', steps: [] } };
    const followed = plan([renamed], [stored]);
    expect(followed).toMatchObject({ create: [], remove: [], removeTasks: [], change: [{ id: stored.id }] });
    expect(followed.ensureTasks).toMatchObject([{ taskId: stored.taskId, body: { name: 'Pack faster' } }]);
    const theirs: ExistingDefault = { ...stored, origin: 'USER', active: false };
    const remaining = plan([renamed], [theirs]);
    expect(remaining).toMatchObject({
      create: [],
      change: [],
      remove: [],
      ensureTasks: [],
      rename: [{ id: stored.id }],
    });
    const again: ExistingDefault = { ...theirs, defaultKey: remaining.rename[0]?.defaultKey ?? '' };
    expect(plan([renamed, inline], [again])).toMatchObject({ rename: [], create: [{ bringsTask: true }] });
  });

  it('are known by their names first, then by their order within the event', () => {
    const named = (name: string, event = 'order.created') => ({ event, task: { name, steps: [] } });
    const existing = plan([named('a'), named('b'), named('c')]).create.map((item): ExistingDefault => ({
      ...item,
      origin: 'DEFAULT',
    }));
    const [a, b, c] = existing.map(({ id }) => id);
    const next = plan([named('x'), named('c'), named('a', 'order.paid')], existing);
    expect(next.change).toMatchObject([{ id: a }]);
    expect(next.remove).toEqual([b]);
    expect(next.create).toMatchObject([{ event: 'order.paid' }]);
    expect([...next.remove, ...next.change.map(({ id }) => id)]).not.toContain(c);
  });

  it('leave a task behind that a subscription of the user starts', () => {
    expect(plan([], [stored], { ofUser: [stored.taskId] })).toMatchObject({
      remove: [stored.id],
      removeTasks: [],
      releaseTasks: [stored.taskId],
    });
  });

  it('may be equal: they are told apart by their order', () => {
    const first = plan([inline, inline]);
    expect(first.create).toHaveLength(2);
    const existing = first.create.map((item): ExistingDefault => ({ ...item, origin: 'DEFAULT' }));
    expect(plan([inline, inline], existing)).toMatchObject({ create: [], remove: [] });
    expect(plan([inline], existing).remove).toEqual([first.create[1]?.id]);
  });
});
