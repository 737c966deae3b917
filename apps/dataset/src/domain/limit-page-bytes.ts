import { jsonBytes } from '@switchyard/kernel';

/** The records of one answer. A page that is longer ends early and has its cursor. */
export const MAX_BYTES = 2 * 1024 * 1024;

/** The first records of a page that fit into one answer, at least one. */
export function limitPageBytes<T extends Record<string, unknown>>(records: readonly T[]): T[] {
  let length = 0;
  for (const [index, record] of records.entries()) {
    const own = lengthOf(record);
    if (index > 0 && length + own > MAX_BYTES) return records.slice(0, index);
    length += own;
  }
  return [...records];
}

/** Of its texts and JSON values; not counted further than a page goes. */
function lengthOf(record: Record<string, unknown>): number {
  let length = 0;
  for (const value of Object.values(record)) {
    if (length > MAX_BYTES) break;
    if (typeof value === 'string') length += Buffer.byteLength(value);
    else if (typeof value === 'object' && value !== null) length += jsonBytes(value, MAX_BYTES);
  }
  return length;
}
