import { detailOf } from '@switchyard/contracts';
import {
  type ErrorDetail,
  type JsonObject,
  Pace,
  SCHEMA_LIMITS,
  inTurns,
  jsonBytes,
  schemaProblems,
} from '@switchyard/kernel';
import type { ErrorObject } from 'ajv/dist/2020';
import { type Problem, SHOWN_PROBLEMS, type SchemaNode } from './check/node';
import { TooExpensive, startMeter } from './meter';
import { SchemaBuilder } from './schema-builder';
import { limitFindings } from './schema-limits';
import { schemaParts } from './schema-parts';
import { shapeProblems } from './schema-shape';

/** Says what is wrong with a value; nothing when it fits. */
export type SchemaCheck = (value: unknown) => ErrorDetail[];

/** What a compiled schema keeps: objects for each schema within it, its own JSON, and the programs of its patterns. */
const PART_BYTES = 600;
/** What a schema says can be long, and is repeated where something does not fit. */
const MESSAGE_CHARACTERS = 1000;
const INSTRUCTION_BYTES = 80;

export interface UsableSchema {
  check: SchemaCheck;
  /** What a new schema is refused for. One that was stored before there were limits is checked all the same. */
  refusals: ErrorDetail[];
  /** About how many bytes it keeps. */
  weight: number;
}

export type CompiledSchema = UsableSchema | { problems: ErrorDetail[] };

const refusedBecause = (message: string): CompiledSchema => ({ problems: [{ path: '', message }] });

/**
 * Makes a check out of a JSON Schema that a user wrote, or says why the schema is no use. A check runs the schema as data,
 * pays for each step, and gives up over its budget. `subject` is what findings call the value. Compiling the largest
 * schema takes a tenth of a second: in a service, others run in between.
 */
export const compileSchema = (schema: JsonObject, subject: string): Promise<CompiledSchema> =>
  inTurns(compiling(schema, subject));

/** The same at once, for what nobody else waits for. */
export function compileSchemaNow(schema: JsonObject, subject: string): CompiledSchema {
  const slices = compiling(schema, subject);
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
  }
}

function* compiling(schema: JsonObject, subject: string): Generator<void, CompiledSchema> {
  const pace = new Pace();
  const problems = schemaProblems(schema);
  if (problems.length > 0) return { problems };
  const { parts, targets, missing } = schemaParts(schema, SCHEMA_LIMITS.subschemas);
  if (parts.length > SCHEMA_LIMITS.subschemas)
    return refusedBecause(`must not hold more than ${SCHEMA_LIMITS.subschemas} schemas`);
  if (missing[0] !== undefined)
    return refusedBecause(`cannot be used: there is nothing at ${missing[0].slice(0, 100)}`);
  const found = limitFindings(parts);
  if (found.problems.length > 0) return { problems: found.problems };
  for (const part of parts) {
    const wrong = shapeProblems(part);
    if (wrong.length > 0) return { problems: wrong };
    if (pace.isDue) yield* rest(pace);
  }
  const builder = new SchemaBuilder(targets);
  try {
    for (const { pattern } of found.patterns) {
      builder.addPattern(pattern);
      if (pace.isDue) yield* rest(pace);
    }
    return {
      check: checkWith(builder.node(schema), subject),
      refusals: found.refusals.slice(0, SHOWN_PROBLEMS),
      weight: 4 * jsonBytes(schema) + PART_BYTES * parts.length + INSTRUCTION_BYTES * found.instructions,
    };
  } catch (error) {
    return refusedBecause(`cannot be used: ${error instanceof Error ? error.message : 'unknown reason'}`);
  }
}

function* rest(pace: Pace): Generator<void> {
  yield;
  pace.begin();
}

const checkWith =
  (node: SchemaNode, subject: string): SchemaCheck =>
  (value) => {
    const problems: Problem[] = [];
    startMeter();
    try {
      if (node.check(value, problems, null)) return [];
    } catch (error) {
      if (error instanceof TooExpensive || error instanceof RangeError)
        return [{ path: subject, message: 'is too expensive to check against its schema' }];
      throw error;
    }
    return problems.map((problem) => detailIn(subject, problem));
  };

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function detailIn(subject: string, { path: names, keyword, params }: Problem): ErrorDetail {
  const instancePath = names.map((name) => `/${escaped(name)}`).join('');
  const { path, message } = detailOf({ instancePath, keyword, params } as ErrorObject);
  return {
    path: path === '' || path.startsWith('[') ? `${subject}${path}` : `${subject}.${path}`,
    message:
      keyword === 'formatLength'
        ? `must not be longer than ${String(params['limit'])} bytes`
        : message.slice(0, MESSAGE_CHARACTERS),
  };
}
