import type { ImportFormat, ImportLine } from '@switchyard/contracts';
import { invalid, isPlainObject } from '@switchyard/kernel';
import { readCell } from './parse-csv-cell';
import { GIVEN_COLUMNS, type Layout } from './table-layout';
import { readOrNameIt, readRecord, withDefaults, type WrittenValues } from './parse-records';

const GIVEN = new Set(GIVEN_COLUMNS.map((column) => column.name));

/** A line of an import as a record. Ids and times of an export are left out: the new records get their own. */
export function readImportLine(layout: Layout, format: ImportFormat, { line, value }: ImportLine): WrittenValues {
  const path = (): string => `line ${line}`;
  if (!isPlainObject(value)) throw invalid(path(), 'must be a JSON object');
  const record: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(value)) {
    if (GIVEN.has(name)) continue;
    const column = layout.byName.get(name);
    const read =
      format === 'csv' && column !== undefined && typeof given === 'string'
        ? readOrNameIt(
            () => readCell(column, given),
            () => `${path()}.${name}`,
          )
        : given;
    if (read !== undefined) record[name] = read;
  }
  return withDefaults(layout, readRecord(layout, record, path));
}
