import { until, usePlatform } from '@switchyard/testing';
import { TaskActions, stepOf, transform, wait } from './task-actions';

const platform = usePlatform();

/** As if it had been started, and had ended, so many days ago. */
const age = (executionId: string, days: number): Promise<unknown> =>
  platform.database.query(
    `update task.executions set created_at = now() - make_interval(days => $2),
       finished_at = case when finished_at is not null then now() - make_interval(days => $2) end where id = $1`,
    [executionId, days],
  );

describe('executions', () => {
  it('are kept for 30 days, failed ones for 90, and unfinished ones until they end', async () => {
    const space = await platform.newSpace();
    const tasks = new TaskActions(space.owner);
    const failing = { id: 'f', type: 'http', with: { url: '{{ "http://127.0.0.1:1/" }}' } };
    const [past, within, failed, longFailed] = [
      await tasks.run([transform('t', { n: 1 })]),
      await tasks.run([transform('t', { n: 2 })]),
      await tasks.run([failing], { status: 'FAILED' }),
      await tasks.run([failing], { status: 'FAILED' }),
    ];
    const unfinished = await tasks.start((await tasks.create({ steps: [wait('w', 600)] })).id);
    await tasks.reaches(unfinished, 'RUNNING');
    await age(unfinished, 400);
    await age(within.id, 29);
    await age(failed.id, 89);
    await age(longFailed.id, 91);
    await age(past.id, 31);
    const statusOf = async (id: string): Promise<number> => (await space.owner.get(`/tasks/executions/${id}`)).status;
    for (const { id } of [past, longFailed])
      await until(async () => (await statusOf(id)) === 404, { timeoutMs: 60_000 });
    const steps = await platform.database.query('select 1 from task.execution_steps where execution_id = $1', [
      past.id,
    ]);
    expect(steps).toHaveLength(0);
    expect(stepOf(await tasks.read(within.id), 't').output).toEqual({ n: 2 });
    expect(await statusOf(unfinished)).toBe(200);
    expect((await space.owner.post(`/tasks/executions/${failed.id}/retry`)).status).toBe(202);
  });
});

describe('a deleted task', () => {
  it('is kept for 90 days and as long as an execution names it, and one of an application for good', async () => {
    const space = await platform.newSpace();
    const tasks = new TaskActions(space.owner);
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push((await tasks.create({ steps: [transform('t', { n })] })).id);
    const [past = '', within = '', run = '', ofApplication = ''] = ids;
    const execution = await tasks.start(run);
    await tasks.reaches(execution, 'SUCCEEDED');
    for (const id of ids) expect((await space.owner.delete(`/tasks/${id}`)).status).toBe(200);
    await platform.database.query('update task.tasks set application_id = $2 where id = $1', [ofApplication, space.id]);
    const deleted = (id: string, days: number): Promise<unknown> =>
      platform.database.query('update task.tasks set deleted_at = now() - make_interval(days => $2) where id = $1', [
        id,
        days,
      ]);
    for (const id of [run, ofApplication]) await deleted(id, 400);
    await deleted(within, 89);
    await deleted(past, 91);
    const remaining = async (): Promise<string[]> =>
      (await platform.database.query<{ id: string }>('select id from task.tasks where id = any($1)', [ids])).map(
        ({ id }) => id,
      );
    await until(async () => !(await remaining()).includes(past), { timeoutMs: 60_000 });
    expect((await remaining()).sort()).toEqual([within, run, ofApplication].sort());
    await age(execution, 31);
    await until(async () => !(await remaining()).includes(run), { timeoutMs: 60_000 });
  });
});

describe('what executions wrote to datasets', () => {
  it('is in the tree of causes for 90 days, and the records stay', async () => {
    const space = await platform.newSpace();
    const tasks = new TaskActions(space.owner);
    const schema = { fields: [{ name: 'n', type: 'integer' }] };
    const datasetId = (await space.owner.post('/datasets', { name: 'Kept', schema })).body.data.id as string;
    const insert = { id: 'd', type: 'dataset', with: { operation: 'insert', datasetId, records: [{ n: 1 }] } };
    const [past, within] = [await tasks.run([insert]), await tasks.run([insert])];
    const writesOf = (executionId: string): Promise<unknown[]> =>
      platform.database.query('select 1 from dataset.record_writes where parent = $1', [`step:${executionId}/d`]);
    // The id places a row in its week; before the first week, rows are deleted one by one.
    const ageWrites = (executionId: string, days: number): Promise<unknown> =>
      platform.database.query(
        `update dataset.record_writes set created_at = past, id = dataset.week_bound(past)
         from (select now() - make_interval(days => $2) as past) p where parent = $1`,
        [`step:${executionId}/d`, days],
      );
    for (const { id } of [past, within]) expect(await writesOf(id)).toHaveLength(1);
    await ageWrites(within.id, 89);
    await ageWrites(past.id, 91);
    await until(async () => (await writesOf(past.id)).length === 0, { timeoutMs: 60_000 });
    expect(await writesOf(within.id)).toHaveLength(1);
    expect((await space.owner.post(`/datasets/${datasetId}/data/count`, {})).body.data.count).toBe(2);
  });
});
