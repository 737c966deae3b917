import { jsonBytes } from '@switchyard/kernel';

/**
 * For free-form fields that only the platform writes (replies, events, internal calls): their values were measured on
 * input.
 */
export const PLATFORM_WRITTEN = Symbol('ours');

/** Most bytes of a value's compact JSON in UTF-8. */
export type Size = number | typeof PLATFORM_WRITTEN;

/** Our JSON Schema keyword, with the prefix that OpenAPI requires of extensions. */
export const MAX_BYTES = 'x-max-bytes';

const KIB = 1024;
const MIB = 1024 * KIB;

/** `64 KiB (65536 bytes)`. */
export const shownBytes = (bytes: number): string => {
  if (bytes % MIB === 0) return `${bytes / MIB} MiB (${bytes} bytes)`;
  return bytes % KIB === 0 ? `${bytes / KIB} KiB (${bytes} bytes)` : `${bytes} bytes`;
};

/** Message for an oversized value, after its path. */
export const overBytes = (limit: number): string => `must be at most ${shownBytes(limit)} as JSON`;

/** Counts up to the limit, however large the value is. */
export const isOverBytes = (value: unknown, limit: number): boolean => jsonBytes(value, limit) > limit;
