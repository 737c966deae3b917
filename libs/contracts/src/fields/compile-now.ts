import Ajv2020, { type CodeOptions, type ValidateFunction, _ } from 'ajv/dist/2020';
import standaloneCode from 'ajv/dist/standalone';
import { formats } from './formats';
import { LENGTH_KEYWORDS } from './length-keywords';
import type { JsonSchema } from './spec';

const OPTIONS = { strict: false, validateFormats: true, formats };

const made = new Map<boolean, Ajv2020>();

function newAjv(allErrors: boolean, code: CodeOptions = {}): Ajv2020 {
  const ajv = new Ajv2020({ ...OPTIONS, allErrors, code });
  for (const definition of LENGTH_KEYWORDS) ajv.removeKeyword(definition.keyword).addKeyword(definition);
  return ajv;
}

/** With `allErrors` a check goes on behind the first error: only for values of a bounded size. */
export function compileNow(schema: JsonSchema, { allErrors = false } = {}): ValidateFunction {
  const ajv = made.get(allErrors) ?? newAjv(allErrors);
  made.set(allErrors, ajv);
  return ajv.compile(schema);
}

/** The same checks as texts of modules, which load the formats from where they are told. */
export function moduleMaker(formatsModule: string): (schema: JsonSchema) => string {
  const maker = newAjv(false, { source: true, formats: _`require(${formatsModule}).formats` });
  return (schema) => standaloneCode(maker, maker.compile(schema));
}
