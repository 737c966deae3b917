import { brokenConstraint } from '@switchyard/database';
import { AppError } from '@switchyard/kernel';
import type { Layout } from '../domain/table-layout';
import { isTableGone, noDataset } from './dataset.repository';

const codeOf = (error: unknown): string | undefined => {
  const inner = error instanceof AppError ? error.cause : error;
  return (inner as { code?: string } | undefined)?.code;
};

/** The field whose uniqueness a write broke. */
export function brokenField(layout: Layout, error: unknown): string | null {
  if (codeOf(error) !== '23505') return null;
  const number = /_c(\d+)_key$/.exec(brokenConstraint(error) ?? '')?.[1];
  return layout.columns.find((column) => String(column.number) === number)?.name ?? null;
}

/** Error of an import with a duplicate value in a unique field; the line is null if unknown. */
export function takenInImport(field: string, line: number | null, cause: unknown): AppError {
  const has = 'another record or an earlier line has the same value';
  const [location, path] = line === null ? ['', field] : [`line ${line}: `, `line ${line}.${field}`];
  return new AppError('CONFLICT', `${location}${field} is unique, and ${has}.`, {
    cause,
    details: [{ path, message: has }],
  });
}

/** Maps a failed write to an API error. */
export function mapWriteError(layout: Layout, error: unknown): unknown {
  const field = brokenField(layout, error);
  if (field !== null) {
    return new AppError(
      'CONFLICT',
      `${field} is unique, and another record has the same value. Use onConflict to update or skip it.`,
      {
        cause: error,
        details: [{ path: field, message: 'another record has the same value' }],
      },
    );
  }
  // The table went away between the look at the dataset and the write.
  if (isTableGone(error)) return noDataset();
  if (codeOf(error) === '54000') {
    return new AppError('VALIDATION_ERROR', 'A text is too large for its index. Shorten it.', { cause: error });
  }
  return error;
}
