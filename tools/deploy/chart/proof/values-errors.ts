import { Ajv } from 'ajv';
import { chartValues } from '../values/chart-values';
import { valuesSchema } from '../values/value';

/** Schema errors of the given values. */
export function refused(values: unknown): string[] {
  const validate = new Ajv({ allErrors: true }).compile(valuesSchema(chartValues()));
  validate(values);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}
