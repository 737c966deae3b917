import { isPlainObject } from '@switchyard/kernel';
import { spend } from '../check-cost-limit';
import { hasField } from './json-equality';
import { Evaluated, type Keyword, type Problem, SET_ENTRY, type SchemaNode, isFull, refuse } from './check-node';
import type { Schema } from './object-keywords';

const fitsQuietly = (schema: Schema, value: unknown, evaluated: Evaluated | null): boolean =>
  schema === null || (schema !== false && schema.check(value, null, evaluated));

const nodesOf = (schemas: readonly Schema[]): SchemaNode[] =>
  schemas.filter((schema): schema is SchemaNode => schema !== null && schema !== false);

function newEvaluated(): Evaluated {
  spend(2 * SET_ENTRY);
  return new Evaluated();
}

export function allOf(schemas: readonly Schema[]): Keyword {
  const nodes = nodesOf(schemas);
  const refusesAll = schemas.includes(false);
  return (value, problems, evaluated) => {
    let fits = !refusesAll || refuse(problems, 'false schema');
    for (const node of nodes) {
      if (!fits && isFull(problems)) return false;
      if (!node.check(value, problems, evaluated)) fits = false;
    }
    return fits;
  };
}

/** `anyOf` and `oneOf`. Problems are only reported if no schema fits. */
function choice(keyword: 'anyOf' | 'oneOf', schemas: readonly Schema[]): Keyword {
  const nodes = nodesOf(schemas);
  const fittingAlways = schemas.filter((schema) => schema === null).length;
  return (value, problems, evaluated) => {
    const inside: Problem[] | null = problems && [];
    let fitting = fittingAlways;
    for (const node of nodes) {
      if (keyword === 'anyOf' ? fitting > 0 && !evaluated : fitting > 1) break;
      // Fields that a schema evaluated count only if it fits.
      const own = evaluated && newEvaluated();
      if (!node.check(value, isFull(inside) ? null : inside, own)) continue;
      fitting += 1;
      if (own) evaluated.take(own);
    }
    if (keyword === 'anyOf' ? fitting > 0 : fitting === 1) return true;
    if (fitting === 0 && inside) for (const problem of inside) if (!isFull(problems)) problems?.push(problem);
    return refuse(problems, keyword);
  };
}

export const anyOf = (schemas: readonly Schema[]): Keyword => choice('anyOf', schemas);
export const oneOf = (schemas: readonly Schema[]): Keyword => choice('oneOf', schemas);

export const not =
  (schema: Schema): Keyword =>
  (value, problems) =>
    !fitsQuietly(schema, value, null) || refuse(problems, 'not');

export function conditional(condition: Schema, whenTrue: Schema, whenFalse: Schema): Keyword {
  return (value, problems, evaluated) => {
    const own = evaluated && newEvaluated();
    const holds = fitsQuietly(condition, value, own);
    if (holds && own) evaluated.take(own);
    const schema = holds ? whenTrue : whenFalse;
    if (schema === null || (schema !== false && schema.check(value, problems, evaluated))) return true;
    return refuse(problems, 'if', { failingKeyword: holds ? 'then' : 'else' });
  };
}

export function dependentSchemas(schemas: ReadonlyMap<string, Schema>): Keyword {
  const entries = [...schemas];
  return (value, problems, evaluated) => {
    if (!isPlainObject(value)) return true;
    let fits = true;
    spend(2 * entries.length);
    for (const [name, schema] of entries) {
      if (schema === null || !hasField(value, name)) continue;
      if (schema === false) fits = refuse(problems, 'false schema');
      else if (!schema.check(value, problems, evaluated)) fits = false;
      if (!fits && isFull(problems)) return false;
    }
    return fits;
  };
}

/** A schema of the same document, which may contain this one. */
export const reference =
  (target: SchemaNode): Keyword =>
  (value, problems, evaluated) =>
    target.check(value, problems, evaluated);
