import type { Deprecation } from '@switchyard/contracts';
import { API_VERSION } from './api-version';

export const VERSION_WARNING_HEADER = 'x-api-version-warning';

/** `Deprecation` as in RFC 9745, `Sunset` as in RFC 8594. */
export const deprecationHeaders = ({ since, sunset }: Deprecation): Record<string, string> => ({
  deprecation: `@${Date.parse(since) / 1000}`,
  sunset: new Date(sunset).toUTCString(),
});

const VERSION = /^(?:\/api)?\/v(\d{1,3})(?=\/|$)/;
const MAJOR = API_VERSION.split('.', 1)[0];

/** Null unless the path names another version than the one that answers: `/v2/api/agents`. */
export function versionWarning(path: string): string | null {
  const named = VERSION.exec(path)?.[1];
  return named === undefined || named === MAJOR
    ? null
    : `The API has no version ${named}: version ${API_VERSION} answered.`;
}
