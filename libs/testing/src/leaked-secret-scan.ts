import { type Dirent, readFileSync, readdirSync } from 'node:fs';
import { Redis } from 'ioredis';
import path from 'node:path';
import type { TestPlatform } from './platform';

/**
 * Looks for secrets in everything that the platform keeps: every table of every service, the files of NATS and Redis,
 * what Redis holds in memory, the logs of all processes, and all metrics. Gives the places where one was found.
 */
export async function findCanaries(platform: TestPlatform, values: readonly string[]): Promise<string[]> {
  const needles = [...new Set(values.flatMap(formsOf))];
  const slots = [
    ...(await inDatabase(platform, needles)),
    ...inFiles(platform.state.home, needles),
    ...(await inRedis(platform, needles)),
    ...(await inMetrics(platform, needles)),
  ];
  return [...new Set(slots)];
}

/** The same for a text that a client has got. */
export const hasCanary = (text: string, values: readonly string[]): boolean =>
  values.flatMap(formsOf).some((form) => text.includes(form));

/** As it is, and as another side or our own storage may have written it. */
function formsOf(value: string): string[] {
  const escaped = JSON.stringify(value).slice(1, -1);
  // The last characters of base64 depend on what stands behind it.
  const base64 = Buffer.from(value).toString('base64').slice(0, -4);
  const hex = Buffer.from(value).toString('hex');
  return [value, encodeURIComponent(value), escaped, JSON.stringify(escaped).slice(1, -1), base64, hex];
}

const NO_SUCH_TABLE = '42P01';

/** A dataset of another test may be deleted while this one looks. */
function unlessDropped(error: unknown): never[] {
  if (error instanceof Error && 'code' in error && error.code === NO_SUCH_TABLE) return [];
  throw error;
}

async function inDatabase({ database }: TestPlatform, needles: readonly string[]): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  if (tables.length < 40) throw new Error(`only ${tables.length} tables to look into`);
  const slots: string[] = [];
  for (const { name } of tables) {
    const looked = database.query(
      `select 1 from ${name} t where exists (select 1 from unnest($1::text[]) n where strpos(t::text, n) > 0) limit 1`,
      [needles],
    );
    const found = await looked.catch(unlessDropped);
    if (found.length > 0) slots.push(name);
  }
  return slots;
}

function inFiles(home: string, needles: readonly string[]): string[] {
  const read: string[] = [];
  const slots = ['logs', 'nats', 'redis'].flatMap((folder) =>
    filesBelow(path.join(home, folder)).filter((file) => {
      // Byte for byte: files of streams are no text.
      const bytes = bytesOf(file);
      read.push(file);
      return needles.some((needle) => bytes.includes(Buffer.from(needle)));
    }),
  );
  if (!read.some((file) => file.endsWith('.blk'))) throw new Error('no files of streams to look into');
  return slots;
}

const bytesOf = (file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch {
    // Streams drop their files while we look.
    return Buffer.alloc(0);
  }
};

function filesBelow(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const at = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(at) : entry.isFile() ? [at] : [];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const READERS: Record<string, (redis: Redis, key: string) => Promise<unknown>> = {
  string: (redis, key) => redis.get(key),
  hash: (redis, key) => redis.hgetall(key),
  list: (redis, key) => redis.lrange(key, 0, -1),
  set: (redis, key) => redis.smembers(key),
  zset: (redis, key) => redis.zrange(key, 0, -1),
  stream: (redis, key) => redis.xrange(key, '-', '+'),
  none: () => Promise.resolve(null),
};

async function inRedis({ state }: TestPlatform, needles: readonly string[]): Promise<string[]> {
  const redis = new Redis(state.redisUrl);
  const slots: string[] = [];
  try {
    for await (const keys of redis.scanStream({ count: 1000 }) as AsyncIterable<string[]>)
      for (const key of keys) {
        const read = READERS[await redis.type(key)];
        if (!read) throw new Error(`a value of Redis that cannot be looked into: ${key}`);
        const text = `${key} ${JSON.stringify(await read(redis, key))}`;
        // Texts in JSON are escaped once more.
        if (needles.some((needle) => text.includes(needle))) slots.push(`redis: ${key}`);
      }
  } finally {
    redis.disconnect();
  }
  return slots;
}

async function inMetrics({ state }: TestPlatform, needles: readonly string[]): Promise<string[]> {
  const slots: string[] = [];
  for (const [service, url] of Object.entries(state.internalUrls)) {
    const text = await (await fetch(`${url}/metrics`)).text();
    if (needles.some((needle) => text.includes(needle))) slots.push(`metrics of ${service}`);
  }
  return slots;
}
