import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ValidateFunction } from 'ajv';
import type { JsonSchema } from './field-schema';

/** Beside the compiled code; absent when running from source. */
export const PREPARED = path.resolve(__dirname, '../../../../checks');

const load = createRequire(__filename);

/** Named by the hash of the schema, so a validator of another schema is never used. */
export const fileOf = (schema: JsonSchema): string =>
  `${createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 32)}.js`;

/** The precompiled validator of this schema, if there is one: loading takes a tenth of compiling. */
export function preparedCheck(schema: JsonSchema): ValidateFunction | undefined {
  const file = path.join(PREPARED, fileOf(schema));
  return existsSync(file) ? (load(file) as ValidateFunction) : undefined;
}
