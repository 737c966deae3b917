import { type JsonSchema, detailOf, lengthKeywords } from '@switchyard/contracts';
import { type ErrorDetail, type JsonObject, schemaProblems, subschemasOf } from '@switchyard/kernel';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { KEYWORDS } from './keywords';

/** Says what is wrong with a value; nothing when it fits. */
export type SchemaCheck = (value: unknown) => ErrorDetail[];

/** Schemas applied to one value. References can multiply them without bound; a check ends here instead. */
export const CHECK_BUDGET = 200_000;
/** Keywords that may look at each character of a text: there, so many of them cost as much as a schema. */
const READING = ['pattern', 'format', 'maxLength', 'minLength'];
const CHARACTERS_OF_A_STEP = 128;

const STEP = 'switchyard-step';
const OWN_ID = 'urn:switchyard:schema';
const SHOWN_PROBLEMS = 20;

class TooCostly extends Error {}

let steps = 0;

const step = (readsText: boolean, value: unknown): boolean => {
  steps += readsText && typeof value === 'string' ? 1 + value.length / CHARACTERS_OF_A_STEP : 1;
  if (steps > CHECK_BUDGET) throw new TooCostly();
  return true;
};

/** Patterns come from others: a backtracking engine would let one of them stop the process. */
class LinearPattern {
  private readonly compiled: RE2JS;

  constructor(private readonly pattern: string) {
    this.compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  }

  test(text: string): boolean {
    return this.compiled.matcher(text).find();
  }

  /** The library tells patterns apart by their text. */
  toString(): string {
    return this.pattern;
  }
}

const linearRegExp = (pattern: string): LinearPattern => new LinearPattern(pattern);
linearRegExp.code = 'linearRegExp';

const metaSchemas = new Ajv2020({ strict: false, logger: false });

function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    allErrors: true,
    inlineRefs: false,
    // A payload without a field `constructor` has none, whatever every object inherits.
    ownProperties: true,
    code: { regExp: linearRegExp },
  });
  addFormats(ajv);
  ajv.addKeyword({ keyword: STEP, errors: false, validate: step });
  for (const definition of [...KEYWORDS, ...lengthKeywords()])
    ajv.removeKeyword(definition.keyword).addKeyword(definition);
  return ajv;
}

function instrumented(schema: JsonObject): JsonSchema {
  const copy = structuredClone(schema);
  const ownNames = [copy['$anchor'], copy['$dynamicAnchor']].filter((name) => typeof name === 'string');
  for (const { schema: part } of subschemasOf(copy)) {
    part[STEP] = READING.some((keyword) => keyword in part);
    // The library finds the whole schema by "#", and not by the name that it gives itself.
    if (ownNames.some((name) => part['$ref'] === `#${name}`)) part['$ref'] = '#';
  }
  delete copy['$schema'];
  // Without an id, the library does not find "#" either.
  copy['$id'] = OWN_ID;
  return copy;
}

export type CompiledSchema = { check: SchemaCheck } | { problems: ErrorDetail[] };

/**
 * Makes a check out of a JSON Schema that a user wrote, or says why the schema is no use. Neither compiling nor checking
 * can hold the process: both are bounded, and patterns run in linear time. `subject` is what findings call the value.
 */
export function compileSchema(schema: JsonObject, subject: string): CompiledSchema {
  const problems = schemaProblems(schema);
  if (problems.length > 0) return { problems };
  try {
    if (!metaSchemas.validateSchema(schema)) {
      const found = metaSchemas.errors ?? [];
      return {
        problems: found
          .slice(0, SHOWN_PROBLEMS)
          .map((error) => ({ path: error.instancePath, message: detailOf(error).message })),
      };
    }
    return { check: checkWith(newAjv().compile(instrumented(schema)), subject) };
  } catch (error) {
    return {
      problems: [{ path: '', message: `cannot be used: ${error instanceof Error ? error.message : 'unknown reason'}` }],
    };
  }
}

const checkWith =
  (validate: ValidateFunction, subject: string): SchemaCheck =>
  (value) => {
    steps = 0;
    try {
      if (validate(value)) return [];
    } catch (error) {
      if (error instanceof TooCostly || error instanceof RangeError) {
        return [{ path: subject, message: 'is too complex to be checked against its schema' }];
      }
      throw error;
    }
    return (validate.errors ?? []).slice(0, SHOWN_PROBLEMS).map((error) => {
      const { path, message } = detailOf(error);
      return {
        path: path === '' || path.startsWith('[') ? `${subject}${path}` : `${subject}.${path}`,
        message,
      };
    });
  };
