import { randomUUID } from 'node:crypto';
import { makeCtx, type Ctx } from '@switchyard/contracts';
import { Database, migrate, prepareDatabase, serviceUrl } from '@switchyard/database';
import { newId } from '@switchyard/kernel';
import { Client, Pool } from 'pg';
import { DatasetsService } from '../../../apps/dataset/src/datasets/datasets.service';
import { DatasetReader } from '../../../apps/dataset/src/db/dataset-reader';
import { LayoutCache } from '../../../apps/dataset/src/db/layout-cache';
import { migrations } from '../../../apps/dataset/src/db/migrations';
import { RecordsRepository } from '../../../apps/dataset/src/db/records.repository';
import { tables } from '../../../apps/dataset/src/db/tables';
import { RecordWritesRepository } from '../../../apps/dataset/src/db/record-writes.repository';
import { ChangePublisher } from '../../../apps/dataset/src/records/change-publisher';
import { QueryService } from '../../../apps/dataset/src/records/query.service';
import { RecordsService } from '../../../apps/dataset/src/records/records.service';
import type { UpsertService } from '../../../apps/dataset/src/records/upsert.service';
import type { EventedWrites } from '../../../apps/dataset/src/records/evented-writes';
import { WriteQueue } from '../../../apps/dataset/src/records/write-queue';
import { TextSearchService } from '../../../apps/dataset/src/search/text-search.service';
import type { Embedder } from '../../../apps/dataset/src/vectors/embedder';
import { unlimitedStorage } from '../../../apps/dataset/test/unlimited-storage';

export interface BenchRecord {
  [name: string]: unknown;
  title: string;
  body: string;
  category: string;
  price: number;
  quantity: number;
  at: string;
}

const WORDS =
  'signal railway yard switch train freight platform ticket bridge tunnel station express local night market harbour mountain river coffee garden window letter paper silver copper winter summer morning evening'.split(
    ' ',
  );

/** Texts whose words are as unequal as words are: `signal` is common, a serial number is rare. */
export function benchRecord(n: number): BenchRecord {
  const word = (k: number): string =>
    WORDS[Math.floor(WORDS.length * ((Math.sin(n * 12.9898 + k * 78.233) * 43758.5453) ** 2 % 1))] ?? 'signal';
  const body = Array.from({ length: 24 }, (_, k) => word(k)).join(' ');
  return {
    title: `${word(100)} ${word(101)} serial${n}`,
    body: n % 4 === 0 ? `${body} common` : body,
    category: `category-${n % 50}`,
    price: ((n * 7919) % 100_000) / 100,
    quantity: n % 1000,
    at: new Date(1_700_000_000_000 + n * 1000).toISOString(),
  };
}

export const BENCH_FIELDS = [
  { name: 'title', type: 'string', fullText: true },
  { name: 'body', type: 'text', fullText: true },
  { name: 'category', type: 'string', indexed: true },
  { name: 'price', type: 'number', indexed: true },
  { name: 'quantity', type: 'integer', indexed: true },
  { name: 'at', type: 'datetime', indexed: true },
] as const;

/** The dataset service without its bus, beside a table that somebody wrote by hand, in one Postgres. */
export interface DatasetBench {
  ctx: Ctx;
  datasets: DatasetsService;
  records: RecordsService;
  queries: QueryService;
  texts: TextSearchService;
  /** The hand-written side: a pool of the same size. */
  pool: Pool;
  close(): Promise<void>;
}

export async function openDatasetBench(adminUrl: string): Promise<DatasetBench> {
  const name = `bench_${randomUUID().slice(0, 8)}`;
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const login = { service: 'dataset', password: randomUUID() };
  await prepareDatabase(url.toString(), [login]);
  await migrate(url.toString(), { service: 'dataset', migrations });
  const log = { warn: () => undefined, error: () => undefined };
  const database = new Database({
    service: 'dataset',
    url: serviceUrl(url.toString(), login),
    poolSize: 8,
    log,
    tables,
    isSearched: true,
  });
  await database.connect();
  const layouts = new LayoutCache();
  const repository = new RecordsRepository();
  const embedder = { wake: () => undefined } as unknown as Embedder;
  const ctx = makeCtx({
    spaceId: newId(),
    userId: newId(),
    role: 'OWNER',
    scopes: ['*'],
    credentialId: null,
    credentialType: 'jwt',
    applicationId: null,
  });
  const pool = new Pool({ connectionString: url.toString(), max: 8 });
  pool.on('error', () => undefined);
  return {
    ctx,
    datasets: new DatasetsService(database, unlimitedStorage()),
    records: new RecordsService(
      database,
      layouts,
      repository,
      {} as UpsertService,
      {} as EventedWrites,
      new ChangePublisher(),
      embedder,
      new RecordWritesRepository(),
      new WriteQueue(layouts),
      unlimitedStorage(),
    ),
    queries: new QueryService(new DatasetReader(database, layouts)),
    texts: new TextSearchService(new DatasetReader(database, layouts)),
    pool,
    async close() {
      await pool.end();
      await database.close();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

export async function createBenchDataset(bench: DatasetBench): Promise<string> {
  const fields = BENCH_FIELDS.map((field) => ({ ...field }));
  return (await bench.datasets.create(bench.ctx, { name: 'Bench', schema: { fields } })).id;
}

/** The table that a developer would write for these records, with the same indexes. */
export async function createByHand(pool: Pool, table: string): Promise<void> {
  await pool.query(`
    create table ${table} (
      id uuid primary key, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
      title text, body text, category text, price double precision, quantity bigint, at timestamptz,
      words tsvector generated always as (setweight(to_tsvector('english', coalesce(title, '')), 'A') || setweight(to_tsvector('english', coalesce(body, '')), 'B')) stored
    );
    create index on ${table} using gin (words);
    create index on ${table} (category, id);
    create index on ${table} (price, id);
    create index on ${table} (quantity, id);
    create index on ${table} (at, id);`);
}

const COLUMNS = ['id', 'title', 'body', 'category', 'price', 'quantity', 'at'] as const;

export async function insertByHand(pool: Pool, table: string, records: readonly BenchRecord[]): Promise<void> {
  const params: unknown[] = [];
  const rows = records.map((record) => {
    params.push(newId(), record.title, record.body, record.category, record.price, record.quantity, record.at);
    return `(${COLUMNS.map((_, i) => `$${params.length - COLUMNS.length + 1 + i}`).join(', ')})`;
  });
  await pool.query(`insert into ${table} (${COLUMNS.join(', ')}) values ${rows.join(', ')}`, params);
}

export const batchOf = (from: number, count: number): BenchRecord[] =>
  Array.from({ length: count }, (_, i) => benchRecord(from + i));
