import Ajv2020, { type Code, type CodeOptions, type ValidateFunction, _ } from 'ajv/dist/2020';
import standaloneCode from 'ajv/dist/standalone';
import { formats } from './string-formats';
import { LENGTH_KEYWORDS } from './length-keywords';
import { sizeKeyword } from './size-keyword';
import type { JsonSchema } from './field-schema';

const OPTIONS = { strict: false, validateFormats: true, formats };

const made = new Map<boolean, Ajv2020>();

function newAjv(allErrors: boolean, code: CodeOptions = {}, isOverBytes?: Code): Ajv2020 {
  const ajv = new Ajv2020({ ...OPTIONS, allErrors, code });
  for (const definition of LENGTH_KEYWORDS) ajv.removeKeyword(definition.keyword).addKeyword(definition);
  ajv.addKeyword(sizeKeyword(isOverBytes));
  return ajv;
}

/** `allErrors` continues after the first error: only for values of bounded size. */
export function compileNow(schema: JsonSchema, { allErrors = false } = {}): ValidateFunction {
  const ajv = made.get(allErrors) ?? newAjv(allErrors);
  made.set(allErrors, ajv);
  return ajv.compile(schema);
}

/** The same validators as module source, importing the formats from `formatsModule`. */
export function moduleMaker(formatsModule: string): (schema: JsonSchema) => string {
  const loaded = _`require(${formatsModule})`;
  const maker = newAjv(false, { source: true, formats: _`${loaded}.formats` }, _`${loaded}.isOverBytes`);
  return (schema) => standaloneCode(maker, maker.compile(schema));
}
