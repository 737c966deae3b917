import { AppError } from '@switchyard/kernel';
import type { ImportFormat } from '@switchyard/contracts';

const FORMATS: Record<string, ImportFormat> = {
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/x-jsonlines': 'ndjson',
  'text/csv': 'csv',
};

/** Those that the documentation names; the others are spellings of the first. */
export const IMPORT_TYPES = ['application/x-ndjson', 'text/csv'];

/** File format by Content-Type. */
export function importFormat(contentType: string | undefined): ImportFormat {
  const [type = ''] = (contentType ?? '').split(';');
  const format = FORMATS[type.trim().toLowerCase()];
  if (format !== undefined) return format;
  throw new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send NDJSON with Content-Type: application/x-ndjson, or CSV with Content-Type: text/csv.',
  );
}
