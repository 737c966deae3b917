import { Ajv } from 'ajv';
import { chartValues } from '../values/chart-values';
import { valuesSchema } from '../values/value';

/** What the schema of the chart has against values. */
export function refused(values: unknown): string[] {
  const validate = new Ajv({ allErrors: true }).compile(valuesSchema(chartValues()));
  validate(values);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}
