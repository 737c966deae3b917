/**
 * In each message between services: the minor version of the sending platform (0.2.x: 2). From the next version on,
 * receivers ignore fields that they do not know; from the same one they refuse them.
 */
export const CONTRACTS_VERSION = 2;

export const isNextVersion = (version: unknown): boolean => version === CONTRACTS_VERSION + 1;
