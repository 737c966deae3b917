import { Database } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';
import { TasksRepository } from '../src/db/tasks.repository';
import { TaskActions, transform } from './task-actions';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const tasks = new TasksRepository();

it('no schedule is taken for a while after a loss that blames none, until what was lost has run alone', async () => {
  const url = platform.state.databaseLogins['task'] ?? '';
  const database = new Database({ service: 'task', url, poolSize: 1, log });
  await database.connect();
  const { owner } = await platform.newSpace();
  const schedule = { cron: '0 0 1 1 *' };
  const { id } = await new TaskActions(owner).create({ type: 'SCHEDULE', schedule, steps: [transform('a', { n: 1 })] });
  const taken: boolean[] = [];
  // In a transaction that is undone, so that no service takes part.
  const undone = database.system('try a loss out', async (tx) => {
    const take = async () =>
      (await tx.statement<{ id: string }>(tasks.takeDue({ limit: 1000, bytes: 1e9, worker: 'a', slot: 'trial' }))).some(
        (row) => row.id === id,
      );
    const suspect = newId();
    await tx.run(`update tasks set next_run_at = clock_timestamp() - interval '1 second' where id = $1`, [id]);
    await tx.run(
      `insert into lost_work (kind, id, losses) values ('trial of marked work', '00000000-0000-0000-0000-000000000000', 1), ('schedule', $1, 1)
       on conflict (kind, id) do update set losses = 1, lost_at = clock_timestamp()`,
      [suspect],
    );
    taken.push(await take());
    await tx.run('delete from lost_work where given_up_at is null and id = $1', [suspect]);
    taken.push(await take());
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await database.close();
  expect(taken).toEqual([false, true]);
});
