/** One lookup after another, on own properties only: nothing inherited is ever reached. */
export type TemplatePath = (string | number)[];

export function lookUp(scope: unknown, path: TemplatePath): unknown {
  let value: unknown = scope;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return null;
    if (Array.isArray(value) && part === 'length') return null;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value ?? null;
}
