import type { ManifestSubscription } from '@switchyard/contracts';
import { type DefaultsPlan, type KnownDefault, planDefaults } from './default-subscriptions';

const plan = (wanted: ManifestSubscription[], known: KnownDefault[] = [], tasksOfUser: string[] = []): DefaultsPlan => {
  let made = 0;
  return planDefaults({ wanted, known, tasksOfUser: new Set(tasksOfUser), newId: () => `new-${(made += 1)}` });
};

const inline: ManifestSubscription = {
  event: 'order.created',
  task: { name: 'Pack', steps: [] },
  filter: { kind: 'a' },
};
const [made] = plan([inline]).create;
if (!made) throw new Error('the first plan makes a subscription');
const stored: KnownDefault = { ...made, origin: 'DEFAULT' };

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
      { id: stored.id, filter: { kind: 'b' }, active: false },
    ]);
  });

  it('go with their task when the manifest drops them', () => {
    expect(plan([], [stored])).toMatchObject({ remove: [stored.id], removeTasks: [stored.taskId], releaseTasks: [] });
  });

  it('are left alone once a user has changed them', () => {
    const theirs: KnownDefault = { ...stored, origin: 'USER', active: false };
    expect(plan([inline], [theirs])).toMatchObject({ create: [], change: [], remove: [], ensureTasks: [] });
    expect(plan([], [theirs])).toMatchObject({ remove: [], removeTasks: [], releaseTasks: [stored.taskId] });
  });

  it('leave a task behind that a subscription of the user starts', () => {
    expect(plan([], [stored], [stored.taskId])).toMatchObject({
      remove: [stored.id],
      removeTasks: [],
      releaseTasks: [stored.taskId],
    });
  });

  it('may be equal: they are told apart by their order', () => {
    const first = plan([inline, inline]);
    expect(first.create).toHaveLength(2);
    const known = first.create.map((item): KnownDefault => ({ ...item, origin: 'DEFAULT' }));
    expect(plan([inline, inline], known)).toMatchObject({ create: [], remove: [] });
    expect(plan([inline], known).remove).toEqual([first.create[1]?.id]);
  });
});
