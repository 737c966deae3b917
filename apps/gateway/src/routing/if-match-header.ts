import { AppError } from '@switchyard/kernel';

/** `If-Match: "3"`: the version that the caller has seen. */
export function versionOf(header: unknown): number | undefined {
  if (typeof header !== 'string' || header.trim() === '*') return undefined;
  const version = /^\s*(?:W\/)?"?(\d{1,9})"?\s*$/.exec(header)?.[1];
  if (version === undefined)
    throw new AppError('PRECONDITION_FAILED', 'If-Match must be a version in quotes, such as "3".');
  return Number(version);
}
