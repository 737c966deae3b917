import { jsonBytes } from '@switchyard/kernel';

/**
 * For a field of free form that only the platform writes: a reply, an event, what one service asks of another. It is
 * made of values that were measured where they came in, and is not measured again.
 */
export const OURS = Symbol('ours');

/** How many bytes a value may have: of its compact JSON, in UTF-8. */
export type Size = number | typeof OURS;

/** In a JSON Schema of ours. Prefixed as OpenAPI wants what JSON Schema does not know. */
export const MAX_BYTES = 'x-max-bytes';

const KIB = 1024;
const MIB = 1024 * KIB;

/** `64 KiB (65536 bytes)`. */
export const shownBytes = (bytes: number): string => {
  if (bytes % MIB === 0) return `${bytes / MIB} MiB (${bytes} bytes)`;
  return bytes % KIB === 0 ? `${bytes / KIB} KiB (${bytes} bytes)` : `${bytes} bytes`;
};

/** What is said of a value that is too large, behind its path. */
export const overBytes = (limit: number): string => `must be at most ${shownBytes(limit)} as JSON`;

/** Counted up to the limit, however large the value is. */
export const isOverBytes = (value: unknown, limit: number): boolean => jsonBytes(value, limit) > limit;
