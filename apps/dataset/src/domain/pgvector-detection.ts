/** pgvector as this database has it: the schema it is in, quoted, and the longest vector that its graph takes. */
export interface Extension {
  home: string;
  mostDimensions: number;
}

export interface Detected {
  home: string | null;
  version: string | null;
  problem: string | null;
}

/** From this version on a graph is walked on where a filter lets too little through. */
const LEAST = [0, 8] as const;
const MAX_DIMENSIONS = 2000;

/** Whether vectors can be searched in the database, and if not, why. */
export function usableExtension(found: Detected | null): { extension: Extension | null; reason: string } {
  const { home = null, version = null, problem = null } = found ?? {};
  if (problem !== null) return { extension: null, reason: `vectors are searched in memory: ${problem}` };
  if (home === null || version === null) {
    return { extension: null, reason: 'vectors are searched in memory: the database has no pgvector' };
  }
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1])) {
    return { extension: null, reason: `vectors are searched in memory: pgvector ${version} is older than 0.8` };
  }
  return { extension: { home, mostDimensions: MAX_DIMENSIONS }, reason: 'vectors are searched with pgvector' };
}
