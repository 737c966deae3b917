import { AppError } from '../errors';

/**
 * Most secrets that a task, or the headers of an MCP server, may reference: every response is searched for all of them.
 */
export const SECRETS_TOGETHER_MAX = 20;

/** Most bytes of their values together. */
export const SECRET_VALUES_MAX_BYTES = 64 * 1024;

export function checkSecretCount(names: readonly string[]): void {
  if (names.length > SECRETS_TOGETHER_MAX)
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `At most ${SECRETS_TOGETHER_MAX} secrets can be used together; these are ${names.length}.`,
    );
}

export function checkSecretValues(values: readonly string[]): void {
  const bytes = values.reduce((sum, value) => sum + Buffer.byteLength(value), 0);
  if (bytes > SECRET_VALUES_MAX_BYTES)
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `The values of secrets that are used together can have at most ${SECRET_VALUES_MAX_BYTES} bytes; these have ${bytes}.`,
    );
}
