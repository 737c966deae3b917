import { SwitchyardError } from '@switchyard/client';

export const messageOf = (error: unknown): string => {
  if (error instanceof SwitchyardError) return `${error.message} (${error.code})`;
  return error instanceof Error ? error.message : String(error);
};

/** The API's error for one form field: `name`, or a nested one such as `settings.cap` or `steps[0].id`. */
export function problemOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof SwitchyardError)) return undefined;
  const isIn = (field: string): boolean =>
    field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`);
  return error.details.find((detail) => isIn(detail.path))?.message;
}

/** All that the API says about a document that is written as one piece, place by place. */
export function problemsOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof SwitchyardError)) return undefined;
  const lines = error.details
    .filter((detail) => detail.path.startsWith(path) && /^($|[.[])/.test(detail.path.slice(path.length)))
    .map((detail) => `${detail.path}: ${detail.message}`);
  return lines.length === 0 ? undefined : lines.join('; ');
}

/** `agentId`, `id` or `kind`: what the address of a page names. */
const OF_ADDRESS = /^(?:[a-z]+Id|id|kind)$/u;

/** Of a record that is read: there is none of this id, or there cannot be one. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof SwitchyardError &&
  (error.status === 404 ||
    (error.status === 400 && error.details.length > 0 && error.details.every(({ path }) => OF_ADDRESS.test(path))));
