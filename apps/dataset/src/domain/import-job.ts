import type { ImportFailure, ImportFormat, ImportJobView, ImportPhase } from '@switchyard/contracts';

/** An import as it is kept. While it is staged there is no job yet. */
export interface ImportRow {
  id: string;
  datasetId: string;
  format: ImportFormat;
  phase: 'STAGING' | Exclude<ImportPhase, 'CANCELLING'>;
  parts: number;
  staged: number;
  bytes: number;
  written: number;
  error: ImportFailure | null;
  cancelRequestedAt: string | null;
  createdBy: string | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
}

const MIB = 1024 * 1024;
const MOST_DIRECT_BYTES = 64 * MIB;

/** Whether an import is better written in the background than while its caller waits. */
export const isLargeImport = (row: Pick<ImportRow, 'staged' | 'bytes'>, mostRows: number): boolean =>
  row.staged > mostRows || row.bytes > MOST_DIRECT_BYTES;

export const hasEnded = (row: ImportRow): boolean =>
  row.phase === 'SUCCEEDED' || row.phase === 'FAILED' || row.phase === 'CANCELLED';

export function importJobView(row: ImportRow): ImportJobView {
  const isCancelling = row.cancelRequestedAt !== null && !hasEnded(row);
  const phase = isCancelling ? 'CANCELLING' : row.phase === 'STAGING' ? 'QUEUED' : row.phase;
  return {
    id: row.id,
    datasetId: row.datasetId,
    format: row.format,
    phase,
    progress: phase === 'SUCCEEDED' ? 100 : Math.min(99, Math.floor((100 * row.written) / Math.max(1, row.staged))),
    records: row.staged,
    inserted: phase === 'SUCCEEDED' ? row.staged : 0,
    error: row.error,
    createdBy: row.createdBy,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    cancelRequestedAt: row.cancelRequestedAt,
  };
}
