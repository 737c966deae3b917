/**
 * Emissions of one event share a lane, and a lane is dispatched in order. Changing the number strands nothing: rows
 * keep theirs.
 */
export const SHARDS = 16;

/** FNV-1a: cheap, and even enough for UUIDs. */
export function shardOf(eventId: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < eventId.length; i += 1) hash = Math.imul(hash ^ eventId.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % SHARDS;
}
