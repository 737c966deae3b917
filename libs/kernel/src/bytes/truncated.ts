import { jsonBytes } from './json-bytes';

/** A free-form value over this is left out of the rows of a list. */
export const LIST_VALUE_BYTES = 16 * 1024;
/** A single record shows everything up to this; beyond it, long fields are links to their content. */
export const RECORD_BYTES = 8 * 1024 * 1024;

/** Stands for a value that is too long to be shown where it is. */
export interface Truncated {
  truncated: true;
  /** How many bytes the JSON of the value has. */
  bytes: number;
  /** In a single record: where the value can be fetched. */
  content?: string;
}

export const truncated = (bytes: number, content?: string): Truncated =>
  content === undefined ? { truncated: true, bytes } : { truncated: true, bytes, content };

/** A free-form value as the row of a list shows it. */
export const shortValue = (value: unknown): unknown =>
  jsonBytes(value, LIST_VALUE_BYTES) > LIST_VALUE_BYTES ? truncated(jsonBytes(value)) : value;

export interface FieldSize {
  /** The path of the field in its record, as the content route takes it: `payload`, `steps.fetch.output`. */
  field: string;
  bytes: number;
}

/**
 * Which fields of a single record give way to a link so that all the others fit: the longest first, and none that is
 * short. Sizes come from the database (`octet_length(column::text)`), before anything long is loaded.
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

/** What a linked field shows: `recordPath` is the path of the record in the API, `/api/events/envelopes/{id}`. */
export const linkedField = (recordPath: string, { field, bytes }: FieldSize): Truncated =>
  truncated(bytes, `${recordPath}/content?field=${encodeURIComponent(field)}`);
