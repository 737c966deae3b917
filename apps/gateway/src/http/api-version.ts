/** The version of the API, as in its OpenAPI document: the first part changes when clients have to change. */
export const API_VERSION = '1.0.0';
export const API_VERSION_HEADER = 'x-api-version';
