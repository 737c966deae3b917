import { jsonBytes } from './json-bytes';

/** Larger free-form values are omitted from the rows of a list. */
export const LIST_VALUE_BYTES = 16 * 1024;
/** A single record is shown whole up to this size; above it, long fields become links to their content. */
export const RECORD_BYTES = 8 * 1024 * 1024;

/** Placeholder for a value that is too long to be shown inline. */
export interface Truncated {
  truncated: true;
  /** Size of the value's JSON. */
  bytes: number;
  /** In a single record: path to fetch the value from. */
  content?: string;
}

export const truncated = (bytes: number, content?: string): Truncated =>
  content === undefined ? { truncated: true, bytes } : { truncated: true, bytes, content };

export const shortValue = (value: unknown): unknown =>
  jsonBytes(value, LIST_VALUE_BYTES) > LIST_VALUE_BYTES ? truncated(jsonBytes(value)) : value;

export interface FieldSize {
  /** Path of the field in its record, as the content route takes it: `payload`, `steps.fetch.output`. */
  field: string;
  bytes: number;
}

/**
 * Chooses the fields of a record that become links, longest first, so that the rest fits; short ones stay. Sizes come
 * from the database (`octet_length(column::text)`) before anything long is loaded.
 */
export function fieldsToLink(fields: readonly FieldSize[], limit = RECORD_BYTES): Set<string> {
  const linked = new Set<string>();
  let total = fields.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { field, bytes } of [...fields].sort((a, b) => b.bytes - a.bytes)) {
    if (total <= limit || bytes <= LIST_VALUE_BYTES) break;
    linked.add(field);
    total -= bytes;
  }
  return linked;
}

/** Placeholder of a linked field. `recordPath` is the record's path in the API, `/api/events/envelopes/{id}`. */
export const linkedField = (recordPath: string, { field, bytes }: FieldSize): Truncated =>
  truncated(bytes, `${recordPath}/content?field=${encodeURIComponent(field)}`);
