import { Database } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { Logger, Metrics, PoisonedWork, WorkMarks, Workers } from '@switchyard/service';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };
const KIND = 'trial';

describe('marks of running work', () => {
  let database: Database;
  let poisoned: PoisonedWork;
  let marks: WorkMarks;

  beforeAll(async () => {
    database = new Database({ service: 'task', url: platform.state.databaseLogins['task'] ?? '', poolSize: 2, log });
    await database.connect();
    const logger = new Logger('task', 'silent');
    poisoned = new PoisonedWork(database, new Workers(logger), new Metrics('task'), logger);
  });

  beforeEach(() => {
    marks = new WorkMarks(database, poisoned.lost, new Logger('task', 'silent'));
  });

  afterEach(() => marks.endAll());
  afterAll(() => database.close());

  const begin = (slot: string) =>
    database.systemWrite('begin a trial', [marks.begin({ slot, kind: KIND, ids: [newId()] })]);
  const age = (seconds: number) =>
    platform.database.query(
      'update task.running_work set at = clock_timestamp() - make_interval(secs => $2) where worker = $1',
      [marks.worker, seconds],
    );
  const slots = async (): Promise<Record<string, boolean>> => {
    const rows = await platform.database.query<{ slot: string; isFresh: boolean }>(
      `select slot, at > clock_timestamp() - interval '5 seconds' as "isFresh" from task.running_work where worker = $1`,
      [marks.worker],
    );
    return Object.fromEntries(rows.map(({ slot, isFresh }) => [slot, isFresh]));
  };

  it('are swept if they could not be removed when their work ended', async () => {
    await begin('over');
    await begin('running');
    marks.drop('over');
    await marks.renew();
    // A young one may be about to be removed.
    expect(await slots()).toEqual({ over: true, running: true });
    await age(11);
    await marks.renew();
    expect(await slots()).toEqual({ running: true });
  });

  it('are renewed until the transaction that ends them is committed', async () => {
    await begin('failing');
    const failed = database.system('fail to end a trial', async (tx) => {
      await marks.end(tx, 'failing');
      throw new Error('not committed');
    });
    await expect(failed).rejects.toThrow('not committed');
    await age(11);
    await marks.renew();
    expect(await slots()).toEqual({ failing: true });
    await database.system('end a trial', (tx) => marks.end(tx, 'failing'));
    expect(await slots()).toEqual({});
  });

  it('are made anew if others removed them while their work runs', async () => {
    await begin('running');
    await begin('young');
    await platform.database.query('delete from task.running_work where worker = $1', [marks.worker]);
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 11_000);
    await begin('younger');
    await platform.database.query(`delete from task.running_work where worker = $1 and slot = 'younger'`, [
      marks.worker,
    ]);
    marks.drop('young');
    await marks.renew();
    jest.restoreAllMocks();
    expect(await slots()).toEqual({ running: true });
  });

  it('of a living process count as lost neither to itself, nor while the database may have been silent', async () => {
    const work = newId();
    const other = `other-${newId()}`;
    const losses = (workers: { ended: string[]; own: string; isSilenceLoss: boolean }): Promise<number> => {
      let count = 0;
      const undone = database.system('count the losses of a trial', async (tx) => {
        await tx.run(
          `insert into running_work (worker, slot, kind, ids, at) values ($1, 'a', $2, array[$3::uuid], clock_timestamp() - interval '31 seconds')`,
          [other, KIND, work],
        );
        const { counted } = await poisoned.lost.countLosses(tx, workers);
        count = counted.filter(({ kind }) => kind === KIND).length;
        throw new Error('undone');
      });
      return undone.catch(() => count);
    };
    const own = marks.worker;
    expect(await losses({ ended: [], own, isSilenceLoss: true })).toBe(1);
    expect(await losses({ ended: [], own, isSilenceLoss: false })).toBe(0);
    expect(await losses({ ended: [other], own, isSilenceLoss: false })).toBe(1);
    expect(await losses({ ended: [other], own: other, isSilenceLoss: true })).toBe(0);
  });
});
