import { Database } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';
import { CallbacksRepository } from '../src/db/callbacks.repository';
import { JobActions } from './job-actions';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const callbacks = new CallbacksRepository();

it('no callback is taken for a while after a loss that blames none, until what was lost has been sent alone', async () => {
  const url = platform.state.databaseLogins['job'] ?? '';
  const database = new Database({ service: 'job', url, poolSize: 1, log });
  await database.connect();
  const space = await platform.newSpace();
  const job = await (await JobActions.open(space)).submit('hello');
  const taken: [boolean, number][] = [];
  // In a transaction that is undone, so that no service takes part.
  const undone = database.system('try a loss out', async (tx) => {
    const take = async () => {
      const isLooked = (await callbacks.dueSpaces(tx, 1000, [])).includes(space.id);
      taken.push([isLooked, (await callbacks.claim(tx, new Map([[space.id, 5]]))).length]);
    };
    const suspect = newId();
    await callbacks.add(tx, { spaceId: space.id, id: job.id }, 'http://127.0.0.2:1/hook', '{}');
    await tx.run(
      `insert into lost_work (kind, id, losses) values ('trial of marked work', '00000000-0000-0000-0000-000000000000', 1), ('callback', $1, 1)
       on conflict (kind, id) do update set losses = 1, lost_at = clock_timestamp()`,
      [suspect],
    );
    await take();
    await tx.run('delete from lost_work where given_up_at is null and id = $1', [suspect]);
    await take();
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await database.close();
  expect(taken).toEqual([
    [false, 0],
    [true, 1],
  ]);
});
