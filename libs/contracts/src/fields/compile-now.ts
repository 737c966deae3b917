import Ajv2020, { type ValidateFunction, _ } from 'ajv/dist/2020';
import standaloneCode from 'ajv/dist/standalone';
import { formats } from './formats';
import type { JsonSchema } from './spec';

const OPTIONS = { allErrors: false, strict: false, validateFormats: true, formats };

let ajv: Ajv2020 | undefined;

export function compileNow(schema: JsonSchema): ValidateFunction {
  ajv ??= new Ajv2020(OPTIONS);
  return ajv.compile(schema);
}

/** The same checks as texts of modules, which load the formats from where they are told. */
export function moduleMaker(formatsModule: string): (schema: JsonSchema) => string {
  const maker = new Ajv2020({ ...OPTIONS, code: { source: true, formats: _`require(${formatsModule}).formats` } });
  return (schema) => standaloneCode(maker, maker.compile(schema));
}
