import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ValidateFunction } from 'ajv';
import type { JsonSchema } from './spec';

/** Beside the compiled code; where the sources run as they are, nothing is there. */
export const PREPARED = path.resolve(__dirname, '../../../../checks');

const load = createRequire(__filename);

/** A check is found by what it checks, so one that was made for another schema is never taken. */
export const fileOf = (schema: JsonSchema): string =>
  `${createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 32)}.js`;

/** The check of this schema, if a build has made it: to load it takes a tenth of the time of making it. */
export function preparedCheck(schema: JsonSchema): ValidateFunction | undefined {
  const file = path.join(PREPARED, fileOf(schema));
  return existsSync(file) ? (load(file) as ValidateFunction) : undefined;
}
