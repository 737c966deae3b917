import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

/** Created by existing migrations, which do not change. */
const CREATED = /\/migrations\/|activity-tables\.ts$|ready-spaces-table\.ts$|\/partitions\/weekly-functions\.ts$/;

const sources = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(path.join(root, folder)).flatMap((capacity) =>
    readdirSync(path.join(root, folder, capacity, 'src'), { recursive: true })
      .map((file) => path.join(folder, capacity, 'src', String(file)))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !CREATED.test(file)),
  ),
);

/**
 * `clock_timestamp()` may differ for each row, so Postgres asks no index with it: a look for what is due next reads all
 * that is due already, and one for old rows reads the table. `(select clock_timestamp())` is asked once for a statement.
 */
it('compares no column with a time that each row asks anew', () => {
  const found = sources.filter((file) =>
    /[<>]=?\s*clock_timestamp\(\)/.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(found).toEqual([]);
});
