import { AppError, invalid } from '@switchyard/kernel';

const SEGMENT = /^[A-Za-z0-9._~:@-]+$/;

/** Endpoints whose answers are counted in tokens by their own `usage`. */
const METERED = new Set(['chat/completions', 'completions', 'embeddings', 'responses']);

/** Upstream paths open to callers unless the catalogue configures others. */
export const DEFAULT_PATHS: readonly string[] = [
  'chat/completions',
  'completions',
  'embeddings',
  'responses',
  'models',
  'images/*',
  'audio/*',
  'moderations',
];

/** A path of the catalogue: lower-case words, and at the end maybe `*` for one more. */
export const OPEN_PATH = /^[a-z0-9_-]+(\/[a-z0-9_-]+)*(\/\*)?$/;

const TOKEN = /^[a-z0-9_-]+$/;

/** Compared letter by letter: another case, an escape or a dot makes another path, which nothing opens. */
export function opensPath(paths: readonly string[], path: string): boolean {
  if (paths.includes(path)) return true;
  const slash = path.lastIndexOf('/');
  return slash > 0 && paths.includes(`${path.slice(0, slash)}/*`) && TOKEN.test(path.slice(slash + 1));
}

export const closedPath = (): AppError => new AppError('NOT_FOUND', 'There is nothing at this path of the relay.');

/** Reading them lists what an upstream keeps for its account. */
export const isOpenMethod = (method: string, path: string): boolean => method === 'POST' || !METERED.has(path);

export type Metering = 'tokens' | 'flat' | 'free';

/** The path as it goes to an upstream, or NOT_FOUND: nothing in it can leave the upstream's base URL. */
export function checkPath(path: string): string {
  const segments = path.split('/');
  const isClean =
    path.length <= 1024 && segments.every((segment) => SEGMENT.test(segment) && segment !== '.' && segment !== '..');
  if (!isClean) throw closedPath();
  return segments.join('/');
}

/**
 * Fields of a body that name what an upstream stores for its account, which all Spaces share. An answer in the
 * background has nothing to meter yet.
 */
export function refuseStoredState(path: string, fields: Readonly<Record<string, unknown>>): void {
  if (path !== 'responses') return;
  const alternative = 'send the whole input, or use /openai/v1/responses, which keeps conversations of your own';
  for (const name of ['previous_response_id', 'conversation'])
    if ((fields[name] ?? null) !== null)
      throw invalid(name, `names what an upstream stores for its account, which Spaces share: ${alternative}`);
  if (fields['background'] === true)
    throw invalid('background', 'must not be true here: use /openai/v1/responses, which answers in the background');
}

export const meteringOf = (method: string, path: string): Metering => {
  if (method === 'GET') return 'free';
  return METERED.has(path) ? 'tokens' : 'flat';
};
