import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { TestPlatform } from '@switchyard/testing';
import { memoryOf } from '../process-memory';

/** Current resource usage of the platform. */
export async function takenBy(platform: TestPlatform): Promise<Record<string, number>> {
  const [size] = await platform.database.query<{ mi: number }>(
    'select round(pg_database_size(current_database()) / 1048576.0)::int as mi',
  );
  const memory = Object.entries(await memoryOf(platform)).map(([name, mi]) => [`${name} MiB`, Math.round(mi)] as const);
  return {
    'database MiB': size?.mi ?? 0,
    'NATS on disk MiB': Math.round(bytesIn(path.join(platform.state.home, 'nats')) / 1024 ** 2),
    ...Object.fromEntries(memory),
  };
}

function bytesIn(folder: string): number {
  let sum = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    try {
      sum += entry.isDirectory() ? bytesIn(file) : statSync(file).size;
    } catch {
      // The server has just removed it.
    }
  }
  return sum;
}

/** `before → after`, where it has changed. */
export const changes = (before: Record<string, number>, after: Record<string, number>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(after).flatMap(([name, now]) =>
      now === before[name] ? [] : [[name, `${before[name] ?? 0} → ${now}`]],
    ),
  );

/** So many at once, until the numbers run out or `isOver` says so. */
export async function inParallel(
  count: number,
  workers: number,
  work: (number: number) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> {
  let next = 0;
  const shard = async (): Promise<void> => {
    while (next < count && !isOver()) await work((next += 1));
  };
  await Promise.all(Array.from({ length: workers }, shard));
}
