import { jsonBytes } from './bytes/json-bytes';

/**
 * The size of an LRU cache of many entries. It takes memory for what it holds; with `max` the cache takes the room of all
 * entries at once, which was five megabytes of a gateway that knew ten credentials.
 */
export const upToEntries = (most: number): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: most,
  sizeCalculation: () => 1,
});

/** An entry of a cache beside its key and value. */
const ENTRY_BYTES = 200;

/**
 * The size of an LRU cache whose keys or values users have written, by about how many bytes it holds: with a number of
 * entries, a few thousand long ones are more than the process has. An entry over `most` is not kept.
 */
export const upToBytes = <Value extends object | number | boolean>(
  most: number,
  bytesOf: (value: Value) => number = (value) => jsonBytes(value, most),
): { maxSize: number; sizeCalculation: (value: Value, key: string) => number } => ({
  maxSize: most,
  sizeCalculation: (value, key) => ENTRY_BYTES + key.length + bytesOf(value),
});
