/**
 * The size of an LRU cache of many entries. It takes memory for what it holds; with `max` the cache takes the room of all
 * entries at once, which was five megabytes of a gateway that knew ten credentials.
 */
export const upToEntries = (most: number): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: most,
  sizeCalculation: () => 1,
});
