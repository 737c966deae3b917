import { SwitchyardError } from '@switchyard/client';

export const messageOf = (error: unknown): string => {
  if (error instanceof SwitchyardError) return `${error.message} (${error.code})`;
  return error instanceof Error ? error.message : String(error);
};

/** What the API says about one field of a form: `name`, or what lies in it: `settings.cap`, `steps[0].id`. */
export function problemOf(error: unknown, path: string): string | undefined {
  if (!(error instanceof SwitchyardError)) return undefined;
  const isIn = (place: string): boolean =>
    place === path || place.startsWith(`${path}.`) || place.startsWith(`${path}[`);
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

export const isNotFound = (error: unknown): boolean => error instanceof SwitchyardError && error.status === 404;
