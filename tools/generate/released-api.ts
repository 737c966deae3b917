import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '@switchyard/contracts';
import { projectRoot } from '../launcher/project-root';

/** The API of the last release, for the check of breaking changes. */
export const RELEASED_API = 'tools/check/api/last-release.json';

export const releasedApi = (): JsonSchema =>
  JSON.parse(readFileSync(join(projectRoot, RELEASED_API), 'utf8')) as JsonSchema;

const PROSE = new Set(['description', 'summary', 'examples', 'example', 'tags', 'title']);
/** Their keys are names of the API, also where one is called `description`. */
const NAMED = new Set(['properties', 'paths', 'schemas', 'parameters', 'responses', 'requestBodies', 'headers']);

/** A document without its prose: the parts that clients depend on. */
export function withoutProse(value: unknown, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutProse(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isNamed || !PROSE.has(name))
      .map(([name, part]) => [name, withoutProse(part, !isNamed && NAMED.has(name))]),
  );
}
