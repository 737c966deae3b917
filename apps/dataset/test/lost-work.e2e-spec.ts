import { Trials } from '@switchyard/messaging';
import { Database, type Tx } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { Logger, Metrics, PoisonedWork, workerName, Workers } from '@switchyard/service';
import { type TestSpace, usePlatform } from '@switchyard/testing';
import { type ClaimedImport, ImportQueueRepository } from '../src/db/import-queue.repository';
import { VectorsRepository } from '../src/db/vectors.repository';
import { CrashedImportsAndEmbeddings } from '../src/losses/crashed-imports-and-embeddings';

const platform = usePlatform();
const log = { warn: () => undefined, info: () => undefined, error: () => undefined, debug: () => undefined };

class Undone extends Error {}

describe('imports and texts whose process ended', () => {
  const queue = new ImportQueueRepository();
  const vectors = new VectorsRepository();
  let database: Database;
  let losses: CrashedImportsAndEmbeddings;
  let space: TestSpace;
  let datasetId: string;

  beforeAll(async () => {
    const url = platform.state.databaseLogins['dataset'] ?? '';
    database = new Database({ service: 'dataset', url, poolSize: 1, log });
    await database.connect();
    const logger = new Logger('dataset', 'silent');
    const poisoned = new PoisonedWork(database, new Workers(logger), new Metrics('dataset'), logger, new Trials());
    losses = new CrashedImportsAndEmbeddings(queue, vectors, poisoned);
    losses.importer = { worker: workerName(), leasedIds: [] };
    space = await platform.newSpace();
    const schema = { fields: [{ name: 'text', type: 'text', vector: true }] };
    datasetId = (await space.owner.post('/datasets', { name: 'Lost', schema })).body.data.id;
  });
  afterAll(() => database.close());

  /** In a transaction that is undone, so that no service takes part. */
  async function undone(work: (tx: Tx) => Promise<void>): Promise<void> {
    const run = database.system('try losses out', async (tx) => {
      await tx.run(`delete from lost_work where kind = 'trial of dataset work'`);
      await work(tx);
      throw new Undone();
    });
    await expect(run).rejects.toThrow(Undone);
  }

  /** A worker of a process that has ended; the processes of two numbers are two. */
  const endedWorker = (process: number): string => workerName().replace(/\.\d+$/, `.${process}`);

  async function anImport(tx: Tx, worker: string | null, { losses: before }: { losses: number }): Promise<string> {
    const id = newId();
    await tx.run(
      `insert into imports (space_id, id, dataset_id, format, phase, parts, staged, worker, due_at)
       values ($1, $2, $3, 'ndjson', case when $4::text is null then 'QUEUED' else 'WRITING' end, 1, 1, $4, clock_timestamp() - interval '1 second')`,
      [space.id, id, datasetId, worker],
    );
    if (before > 0)
      await tx.run(`insert into lost_work (kind, id, space_id, losses) values ('import', $1, $2, $3)`, [
        id,
        space.id,
        before,
      ]);
    return id;
  }

  async function aText(tx: Tx, worker: string | null, { losses: before }: { losses: number }): Promise<string> {
    const id = newId();
    await tx.run(
      `insert into record_vectors (space_id, dataset_id, record_id, field, worker, losses, lost_at, due_at)
       values ($1, $2, $3, 1, $4, $5, clock_timestamp(), clock_timestamp() - interval '1 second')`,
      [space.id, datasetId, id, worker, before],
    );
    return id;
  }

  const importOf = async (tx: Tx, id: string) =>
    (
      await tx.one<{ standing: string }>(
        `select i.phase || ' ' || coalesce(l.losses, 0) as standing from imports i left join lost_work l on l.kind = 'import' and l.id = i.id where i.id = $1`,
        [id],
      )
    )?.standing;
  const textOf = async (tx: Tx, id: string) =>
    (
      await tx.one<{ standing: string }>(
        `select state || ' ' || losses as standing from record_vectors where record_id = $1`,
        [id],
      )
    )?.standing;
  const age = (tx: Tx, seconds: number) =>
    tx.run(
      `update lost_work set lost_at = clock_timestamp() - make_interval(secs => $1) where kind = 'trial of dataset work'`,
      [seconds],
    );
  async function claimed(tx: Tx): Promise<ClaimedImport | null> {
    const others = await tx.query<{ spaceId: string }>('select distinct space_id from imports where space_id <> $1', [
      space.id,
    ]);
    const busySpaces = others.map(({ spaceId }) => spaceId);
    return queue.claim(tx, 'writer', { busySpaces, payers: [], embedder: 'embedder' });
  }
  const claim = async (tx: Tx): Promise<string | undefined> => (await claimed(tx))?.id;
  /** Of the text of this Space that is embedded next. */
  async function isCareful(tx: Tx): Promise<boolean | undefined> {
    return (await vectors.firstDue(tx, space.id))?.isCareful;
  }

  it('count their second loss if they were all that their process had', () =>
    undone(async (tx) => {
      const id = await anImport(tx, endedWorker(1), { losses: 1 });
      const text = await aText(tx, endedWorker(2), { losses: 1 });
      await losses.count(tx);
      expect([await importOf(tx, id), await textOf(tx, text)]).toEqual(['UNDOING 2', 'FAILED 2']);
      expect(await isCareful(tx)).not.toBe(true);
    }));

  it('do not count it beside work of the other kind, fresh or not, nor beside another import', () =>
    undone(async (tx) => {
      const suspects = [
        await anImport(tx, endedWorker(1), { losses: 1 }),
        await aText(tx, endedWorker(2), { losses: 1 }),
      ] as const;
      const fresh = [
        await aText(tx, endedWorker(1), { losses: 0 }),
        await anImport(tx, endedWorker(2), { losses: 0 }),
      ] as const;
      const both = [
        await anImport(tx, endedWorker(3), { losses: 1 }),
        await aText(tx, endedWorker(3), { losses: 1 }),
      ] as const;
      const two = [
        await anImport(tx, endedWorker(4), { losses: 1 }),
        await anImport(tx, endedWorker(4), { losses: 1 }),
      ];
      await losses.count(tx);
      expect([await importOf(tx, suspects[0]), await textOf(tx, suspects[1])]).toEqual(['WRITING 1', 'PENDING 1']);
      expect([await textOf(tx, fresh[0]), await importOf(tx, fresh[1])]).toEqual(['PENDING 1', 'WRITING 1']);
      expect([await importOf(tx, both[0]), await textOf(tx, both[1])]).toEqual(['WRITING 1', 'PENDING 1']);
      expect(await Promise.all(two.map((id) => importOf(tx, id)))).toEqual(['WRITING 1', 'WRITING 1']);
    }));

  it('count it beside fresh work after three losses that showed nothing, not beside what was lost before', () =>
    undone(async (tx) => {
      const id = await anImport(tx, endedWorker(1), { losses: 1 });
      for (const process of [1, 2, 3]) {
        await tx.run('update imports set worker = $2 where id = $1', [id, endedWorker(process)]);
        await aText(tx, endedWorker(process), { losses: 0 });
        await losses.count(tx);
        expect(await importOf(tx, id)).toBe('WRITING 1');
      }
      await tx.run('update imports set worker = $2 where id = $1', [id, endedWorker(4)]);
      const text = await aText(tx, endedWorker(4), { losses: 1 });
      await losses.count(tx);
      expect([await importOf(tx, id), await textOf(tx, text)]).toEqual(['WRITING 1', 'PENDING 1']);
      await tx.run('update imports set worker = $2 where id = $1', [id, endedWorker(5)]);
      await aText(tx, endedWorker(5), { losses: 0 });
      await losses.count(tx);
      expect(await importOf(tx, id)).toBe('UNDOING 2');
    }));

  it('do not count it for an import that is counted after the texts of its process, because its row was locked', () =>
    undone(async (tx) => {
      await aText(tx, endedWorker(1), { losses: 0 });
      await losses.count(tx);
      const late = await anImport(tx, endedWorker(1), { losses: 1 });
      const ofOther = await anImport(tx, endedWorker(2), { losses: 1 });
      await losses.count(tx);
      expect([await importOf(tx, late), await importOf(tx, ofOther)]).toEqual(['WRITING 1', 'UNDOING 2']);
    }));

  it('do not count it for a text that is counted after the import of its process, also if that was lost again since', () =>
    undone(async (tx) => {
      const id = await anImport(tx, endedWorker(1), { losses: 0 });
      await losses.count(tx);
      await tx.run('update imports set worker = $2 where id = $1', [id, endedWorker(2)]);
      await aText(tx, endedWorker(2), { losses: 0 });
      await losses.count(tx);
      const late = await aText(tx, endedWorker(1), { losses: 1 });
      await losses.count(tx);
      expect(await textOf(tx, late)).toBe('PENDING 1');
    }));

  it('run one at a time, and while the loss is tried beside nothing: fresh imports and texts wait, for a limited time', () =>
    undone(async (tx) => {
      const suspect = await anImport(tx, endedWorker(1), { losses: 0 });
      const text = await aText(tx, endedWorker(1), { losses: 0 });
      await losses.count(tx);
      const fresh = await anImport(tx, null, { losses: 0 });
      expect(await isCareful(tx)).toBe(true);
      // A text of before is still with this process.
      await tx.run(`update record_vectors set worker = 'embedder' where record_id = $1`, [text]);
      expect(await claim(tx)).toBeUndefined();
      await tx.run(`update record_vectors set worker = null where record_id = $1`, [text]);
      expect(await vectors.mayRunAlone(tx, 'writer')).toBe(true);
      expect(await claim(tx)).toBe(suspect);
      expect(await vectors.mayRunAlone(tx, 'writer')).toBe(false);
      expect(await claim(tx)).toBeUndefined();
      await age(tx, 31);
      expect(await isCareful(tx)).toBe(false);
      // Another one that was lost still waits.
      expect(await vectors.mayRunAlone(tx, 'writer')).toBe(false);
      expect(await claim(tx)).toBe(fresh);
    }));

  it('are no losses of this process if it could not release them; what it still writes stays its own', () =>
    undone(async (tx) => {
      const ids = [
        await anImport(tx, losses.importer.worker, { losses: 0 }),
        await anImport(tx, losses.importer.worker, { losses: 0 }),
      ] as const;
      losses.importer = { ...losses.importer, leasedIds: [ids[1]] };
      await losses.count(tx);
      const workers = await tx.query<{ worker: string | null }>(
        'select worker from imports where id = any($1) order by id',
        [ids],
      );
      expect(workers.map(({ worker }) => worker)).toEqual([null, losses.importer.worker]);
      expect(await Promise.all(ids.map((id) => importOf(tx, id)))).toEqual(['WRITING 0', 'WRITING 0']);
    }));

  it('are not written on by an earlier claim of the same worker', () =>
    undone(async (tx) => {
      const id = await anImport(tx, null, { losses: 0 });
      const earlier = (await claimed(tx))!;
      await queue.release(tx, earlier);
      const later = (await claimed(tx))!;
      expect(await queue.keep(tx, 'writer', [earlier, later])).toEqual([{ id, epoch: 2 }]);
      expect(await queue.advance(tx, earlier, { piece: 1, written: 1 })).toBeNull();
      expect(await queue.end(tx, earlier, 'FAILED')).toBe(false);
      await queue.release(tx, earlier);
      expect(await queue.advance(tx, later, { piece: 1, written: 1 })).toEqual({ isCancelled: false });
    }));

  it('that were texts are not embedded beside an import of the process while the loss is tried', () =>
    undone(async (tx) => {
      await aText(tx, endedWorker(1), { losses: 0 });
      await losses.count(tx);
      const writer = workerName();
      await anImport(tx, writer, { losses: 0 });
      expect(await vectors.mayRunAlone(tx, writer)).toBe(false);
      expect(await vectors.mayRunAlone(tx, 'of another process')).toBe(true);
      await age(tx, 31);
      expect(await vectors.mayRunAlone(tx, writer)).toBe(true);
    }));
});
