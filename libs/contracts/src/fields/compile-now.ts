import Ajv2020, { type CodeOptions, type ValidateFunction, _ } from 'ajv/dist/2020';
import standaloneCode from 'ajv/dist/standalone';
import { formats } from './formats';
import { LENGTH_KEYWORDS } from './length-keywords';
import type { JsonSchema } from './spec';

const OPTIONS = { allErrors: false, strict: false, validateFormats: true, formats };

let ajv: Ajv2020 | undefined;

function newAjv(code: CodeOptions = {}): Ajv2020 {
  const made = new Ajv2020({ ...OPTIONS, code });
  for (const definition of LENGTH_KEYWORDS) made.removeKeyword(definition.keyword).addKeyword(definition);
  return made;
}

export function compileNow(schema: JsonSchema): ValidateFunction {
  ajv ??= newAjv();
  return ajv.compile(schema);
}

/** The same checks as texts of modules, which load the formats from where they are told. */
export function moduleMaker(formatsModule: string): (schema: JsonSchema) => string {
  const maker = newAjv({ source: true, formats: _`require(${formatsModule}).formats` });
  return (schema) => standaloneCode(maker, maker.compile(schema));
}
