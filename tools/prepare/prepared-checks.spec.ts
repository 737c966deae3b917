import { createRequire } from 'node:module';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import type { ValidateFunction } from 'ajv';
import { type JsonSchema, fileOf } from '@switchyard/contracts';
import { compileNow } from '../../libs/contracts/src/fields/compile-validators';
import { preparedChecks, schemasToPrepare } from './prepared-checks';

const FORMATS = path.resolve(__dirname, '../../libs/contracts/src/fields/string-formats');
const ID = '01900000-0000-7000-8000-000000000000';
const TIME = '2026-01-01T00:00:00.000Z';
const KINDS = [null, true, -1, 1.5, 7, '', 'A', ID, TIME, 'x'.repeat(300), [], ['A'], [{}], {}, { more: 1 }];

const load = createRequire(__filename);

function loaded(text: string): ValidateFunction {
  const module = { exports: {} };
  compileFunction(text, ['module', 'require'])(module, load);
  return module.exports as ValidateFunction;
}

/** Values of every kind, and objects with one or all of the schema's properties holding one of them. */
function valuesFor(schema: JsonSchema): unknown[] {
  const names = Object.keys(schema['properties'] ?? {});
  const whole = KINDS.map((kind) => Object.fromEntries(names.map((name) => [name, kind])));
  return [...KINDS, ...whole, ...names.flatMap((name) => KINDS.map((kind) => ({ [name]: kind })))];
}

const verdictOf = (check: ValidateFunction, value: unknown): string =>
  check(value) ? 'fits' : JSON.stringify(check.errors);

describe('checks that a build prepares', () => {
  it('say of every declared type what the compiler says that makes them where a service runs', () => {
    const schemas = new Map(schemasToPrepare().map((schema) => [fileOf(schema), schema]));
    const texts = preparedChecks([...schemas.values()], FORMATS);
    const verdicts = new Set<string>();
    for (const [file, schema] of schemas) {
      const [prepared, made] = [loaded(texts.get(file) ?? ''), compileNow(schema)];
      const values = valuesFor(schema);
      const text = values.map((value) => verdictOf(prepared, value));
      expect(text).toEqual(values.map((value) => verdictOf(made, value)));
      for (const verdict of text) verdicts.add(verdict);
    }
    expect(verdicts).toContain('fits');
    expect(verdicts.size).toBeGreaterThan(100);
  });

  it('are found by what they check: another rule, another file', () => {
    expect(fileOf({ type: 'string', maxLength: 3 })).not.toBe(fileOf({ type: 'string', maxLength: 4 }));
  });
});
