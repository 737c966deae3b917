/** Ways of writing a path that other hops may read differently: none of them has a use here. */
const AMBIGUOUS = /\/\/|\\|;|%2f|%5c|%00|%25|[^\x21-\x7e]|\/\.\.?(?:\/|$)/i;
/** Percent-encoded letters, digits and the like: never needed, and used to evade filters. */
const NEEDLESS = '3\\d|[46][1-9a-f]|[57][0-9a]|2d|2e|5f|7e';
const NEEDLESSLY_ENCODED = new RegExp(`%(?:${NEEDLESS})`, 'i');

const VERSION_FIRST = /^\/v\d{1,3}(?=\/api(?:\/|$))/;
const VERSION_INSIDE = /^\/api\/v\d{1,3}(?=\/|$)/;

/**
 * Names of models hold slashes, which OpenAI's clients write as codes; some write other characters so as well. They are
 * looked up here and sent nowhere.
 */
const IN_MODEL = new RegExp(`%(?:2f|${NEEDLESS})`, 'gi');
const MODEL = /^\/models\/v1\/models\/./;

/** The catalogue of models lies under the relay's wildcard, and is only read. */
export const CATALOGUE = /^\/models\/v1\/models(?:[/?]|$)/;

/** The relay compares its paths letter by letter: there an encoded letter makes another path, which it does not have. */
const RELAYED = /^\/models\/v1\/(?!models\/)./;

/** Paths outside of the API prefix. */
const OUTSIDE_API =
  /^\/(?:api|models|openai|ag-ui|langgraph|mcp|health|docs|console|openapi\.json|\.well-known)(?:\/|$)/;

export const REFUSED_PATH = '/.refused';

export interface PathRules {
  serveAtRoot: boolean;
}

/**
 * The route that a request target means: one version prefix is taken off, before or after /api.
 * Null when the target is written in a way that no client of ours needs.
 */
export function routePath(target: string, rules: PathRules): string | null {
  const queryAt = target.indexOf('?');
  const written = queryAt === -1 ? target : target.slice(0, queryAt);
  const path = MODEL.test(written) ? written.replace(IN_MODEL, decodeURIComponent) : written;
  const query = queryAt === -1 ? '' : target.slice(queryAt);
  if (!path.startsWith('/') || AMBIGUOUS.test(path)) return null;
  if (NEEDLESSLY_ENCODED.test(path) && !RELAYED.test(path)) return null;
  const bare = VERSION_FIRST.test(path) ? path.replace(VERSION_FIRST, '') : path.replace(VERSION_INSIDE, '/api');
  if (rules.serveAtRoot && !OUTSIDE_API.test(bare) && bare !== '/') {
    return `/api${bare.replace(/^\/v\d{1,3}(?=\/)/, '')}${query}`;
  }
  return bare + query;
}
