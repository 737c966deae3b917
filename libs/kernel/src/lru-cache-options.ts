import { jsonBytes } from './bytes/json-bytes';

/**
 * Options of an LRU cache with up to `most` entries. `max` would allocate all entries at once: 5 MB for ten
 * credentials.
 */
export const upToEntries = (most: number): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: most,
  sizeCalculation: () => 1,
});

/** Overhead of a cache entry besides its key and value. */
const ENTRY_BYTES = 200;

/**
 * Options of an LRU cache of user-written keys or values, limited by approximate bytes. An entry over `most` is not
 * cached.
 */
export const upToBytes = <Value extends object | number | boolean>(
  most: number,
  bytesOf: (value: Value) => number = (value) => jsonBytes(value, most),
): { maxSize: number; sizeCalculation: (value: Value, key: string) => number } => ({
  maxSize: most,
  sizeCalculation: (value, key) => ENTRY_BYTES + key.length + bytesOf(value),
});
