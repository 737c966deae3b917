import { ApiVersionError } from '../http/errors';

/** The version of the API that this package is made for. Another first part is another API. */
export const API_VERSION = '1.0.0';

const majorOf = (version: string): string => version.split('.')[0] ?? '';

/** Answers without a version are taken as they are: proxies and errors of the network have none. */
export function checkApiVersion(headers: Headers): void {
  const actual = headers.get('x-api-version');
  if (actual !== null && majorOf(actual) !== majorOf(API_VERSION)) throw new ApiVersionError(API_VERSION, actual);
}
