import type { ImportFailure, ImportFormat, ImportJobView, ImportPhase } from '@switchyard/contracts';

/** An import as it is kept. While it is staged there is no job yet. */
export interface ImportRow {
  id: string;
  datasetId: string;
  format: ImportFormat;
  /** RUNNING is written by a process of an earlier version, in one transaction. */
  phase: 'STAGING' | 'WRITING' | 'UNDOING' | Exclude<ImportPhase, 'CANCELLING'>;
  parts: number;
  /** How many of the parts are in the dataset, hidden. */
  piece: number;
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
const MAX_DIRECT_BYTES = 64 * MIB;

/** Whether an import is better written in the background than while its caller waits. */
export const isLargeImport = (row: Pick<ImportRow, 'staged' | 'bytes'>, mostRows: number): boolean =>
  row.staged > mostRows || row.bytes > MAX_DIRECT_BYTES;

export const hasEnded = (row: ImportRow): boolean =>
  row.phase === 'SUCCEEDED' || row.phase === 'FAILED' || row.phase === 'CANCELLED';

/** An upload that broke off: it takes no more parts, and nothing of it is imported. */
export const isAbandoned = (row: ImportRow): boolean => row.phase === 'STAGING' && row.cancelRequestedAt !== null;

const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/** How long an import that waits for others rests before it looks again: longer the longer they take. */
export const pauseAfterMs = (waitedMs: number): number =>
  Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, Math.round(waitedMs / 4) || 0));

/** How far an import is, in the words of those who wait for it. */
const SHOWN: Record<ImportRow['phase'], ImportPhase> = {
  STAGING: 'QUEUED',
  QUEUED: 'QUEUED',
  RUNNING: 'RUNNING',
  WRITING: 'RUNNING',
  UNDOING: 'RUNNING',
  SUCCEEDED: 'SUCCEEDED',
  FAILED: 'FAILED',
  CANCELLED: 'CANCELLED',
};

export function importJobView(row: ImportRow): ImportJobView {
  const isCancelling = row.cancelRequestedAt !== null && !hasEnded(row);
  const phase = isCancelling ? 'CANCELLING' : SHOWN[row.phase];
  return {
    id: row.id,
    datasetId: row.datasetId,
    format: row.format,
    phase,
    progress: phase === 'SUCCEEDED' ? 100 : Math.min(99, Math.floor((100 * row.written) / Math.max(1, row.staged))),
    records: row.staged,
    inserted: phase === 'SUCCEEDED' ? row.staged : 0,
    error: hasEnded(row) ? row.error : null,
    createdBy: row.createdBy,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    cancelRequestedAt: row.cancelRequestedAt,
  };
}
