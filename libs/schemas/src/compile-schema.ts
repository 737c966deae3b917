import { detailOf } from '@switchyard/contracts';
import {
  type ErrorDetail,
  type JsonObject,
  TimeSlice,
  SCHEMA_LIMITS,
  runInSlices,
  jsonBytes,
  schemaProblems,
} from '@switchyard/kernel';
import type { ErrorObject } from 'ajv/dist/2020';
import { type Problem, SHOWN_PROBLEMS, type SchemaNode } from './check/check-node';
import { TooExpensive, startMeter } from './check-cost-limit';
import { SchemaBuilder } from './schema-builder';
import { limitFindings } from './schema-limits';
import { schemaParts } from './resolve-references';
import { shapeProblems } from './meta-schema-problems';

/** Returns the problems of a value; empty if it is valid. */
export type SchemaCheck = (value: unknown) => ErrorDetail[];

/** Memory of a compiled schema for each subschema, besides its JSON and its patterns. */
const PART_BYTES = 600;
/** Schema texts are repeated in problems, up to this length. */
const MESSAGE_CHARACTERS = 1000;
const INSTRUCTION_BYTES = 80;

export interface UsableSchema {
  check: SchemaCheck;
  /** Reasons to reject a new schema. One that was stored before the limits existed is still checked. */
  refusals: ErrorDetail[];
  /** Approximate bytes in memory. */
  weight: number;
}

export type CompiledSchema = UsableSchema | { problems: ErrorDetail[] };

const refusedBecause = (message: string): CompiledSchema => ({ problems: [{ path: '', message }] });

/**
 * Compiles a user's JSON Schema to a check, or returns why it is invalid. Checks interpret the schema, spend budget at
 * each step, and stop when it is used up. `subject` names the value in problems. Yields to the event loop: the largest
 * schema takes a tenth of a second.
 */
export const compileSchema = (schema: JsonObject, subject: string): Promise<CompiledSchema> =>
  runInSlices(compiling(schema, subject));

/** As `compileSchema`, blocking the event loop. */
export function compileSchemaNow(schema: JsonObject, subject: string): CompiledSchema {
  const slices = compiling(schema, subject);
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
  }
}

function* compiling(schema: JsonObject, subject: string): Generator<void, CompiledSchema> {
  const pace = new TimeSlice();
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

function* rest(pace: TimeSlice): Generator<void> {
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
