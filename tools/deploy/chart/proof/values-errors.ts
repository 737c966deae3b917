import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { chartValues } from '../values/chart-values';
import { valuesSchema } from '../values/value';

/** What the schema of the chart has against values. */
export function refused(values: unknown): string[] {
  const validate = new Ajv({ allErrors: true }).compile(valuesSchema(chartValues()));
  validate(values);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

export const valuesErrors = (file: string): string[] => refused(parse(readFileSync(file, 'utf8'), { version: '1.1' }));
