import { type TestSpace, until, usePlatform } from '@switchyard/testing';

const platform = usePlatform();
let space: TestSpace;
beforeAll(async () => {
  space = await platform.newSpace();
});

describe('tasks', () => {
  it('runs a transform and shows its result', async () => {
    const steps = [{ id: 'sum', type: 'transform', with: { total: '{{ execution.inputs.n | plus: 1 }}' } }];
    const created = await space.owner.post('/tasks', { name: 'Sum', steps, inputs: { n: 1 } });
    expect(created).toMatchObject({ status: 201 });
    const started = await space.owner.post(`/tasks/${created.body.data.id}/execute`, { inputs: { n: 41 } });
    expect(started).toMatchObject({ status: 202 });
    const ended = await until(async () => {
      const read = await space.owner.get(`/tasks/executions/${started.body.data.id}`);
      return read.body.data.status === 'SUCCEEDED' && read.body.data;
    });
    expect(ended).toMatchObject({ output: { total: 42 }, attempt: 1, trigger: null });
  });
});
