import { isPlainObject } from '@switchyard/kernel';
import { spend } from '../check-cost-limit';
import type { LinearPattern } from '../patterns/linear-pattern';
import { fieldNames } from './schema-field-names';
import { hasField } from './json-equality';
import {
  type Evaluated,
  type Keyword,
  type Problems,
  SET_ENTRY,
  type SchemaNode,
  checkChild,
  isFull,
  refuse,
} from './check-node';

type Fields = Record<string, unknown>;
/** Null accepts everything, false nothing. */
export type Schema = SchemaNode | null | false;

const ofFields =
  (check: (fields: Fields, problems: Problems) => boolean): Keyword =>
  (value, problems) =>
    !isPlainObject(value) || check(value, problems);

export const maxProperties = (most: number): Keyword =>
  ofFields(
    (fields, problems) => fieldNames(fields).length <= most || refuse(problems, 'maxProperties', { limit: most }),
  );

export const minProperties = (least: number): Keyword =>
  ofFields(
    (fields, problems) => fieldNames(fields).length >= least || refuse(problems, 'minProperties', { limit: least }),
  );

export const required = (names: readonly string[]): Keyword =>
  ofFields((fields, problems) => {
    spend(2 * names.length);
    let fits = true;
    for (const name of names) {
      if (hasField(fields, name)) continue;
      fits = refuse(problems, 'required', { missingProperty: name });
      if (isFull(problems)) return false;
    }
    return fits;
  });

export const dependentRequired = (dependencies: Record<string, string[]>): Keyword => {
  const entries = Object.entries(dependencies);
  return ofFields((fields, problems) => {
    let fits = true;
    spend(2 * entries.length);
    for (const [property, names] of entries) {
      if (!hasField(fields, property)) continue;
      spend(2 * names.length);
      for (const name of names) {
        if (hasField(fields, name)) continue;
        fits = refuse(problems, 'dependentRequired', { property, missingProperty: name });
        if (isFull(problems)) return false;
      }
    }
    return fits;
  });
};

export const propertyNames = (node: SchemaNode | false): Keyword =>
  ofFields((fields, problems) => {
    let fits = true;
    for (const name of fieldNames(fields)) {
      if (node !== false && node.check(name, problems, null)) continue;
      fits = refuse(problems, 'propertyNames', { propertyName: name });
      if (isFull(problems)) return false;
    }
    return fits;
  });

interface FieldSchemas {
  properties: ReadonlyMap<string, Schema>;
  patterns: readonly { test: LinearPattern; schema: Schema }[];
  /** Undefined if the schema does not restrict other fields. */
  others: Schema | undefined;
}

/** Checks a field by its schema. Null accepts everything; for false, the caller reports the problem. */
function checkField(schema: SchemaNode | null, name: string, fields: Fields, problems: Problems): boolean {
  return schema === null || checkChild(schema, fields[name], name, problems);
}

/** `properties`, `patternProperties` and `additionalProperties`, which depend on each other. */
export function fieldsKeyword({ properties, patterns, others }: FieldSchemas): Keyword {
  const named = namedFields([...properties]);
  if (patterns.length === 0 && others === undefined) return named;
  return (value, problems, evaluated) => {
    if (!isPlainObject(value)) return true;
    let fits = named(value, problems, evaluated);
    if (!fits && isFull(problems)) return false;
    for (const name of fieldNames(value)) {
      if (value[name] === undefined) continue;
      spend(5);
      let isDeclared = properties.has(name);
      for (const { test, schema } of patterns) {
        if (!test.test(name)) continue;
        isDeclared = true;
        note(evaluated, name);
        if (schema === false ? !refuseField(problems, name) : !checkField(schema, name, value, problems)) fits = false;
      }
      if (!isDeclared && others !== undefined) {
        note(evaluated, name);
        if (others === false) fits = refuse(problems, 'additionalProperties', { additionalProperty: name });
        else if (!checkField(others, name, value, problems)) fits = false;
      }
      if (!fits && isFull(problems)) return false;
    }
    return fits;
  };
}

function namedFields(named: [string, Schema][]): Keyword {
  return (value, problems, evaluated) => {
    if (!isPlainObject(value)) return true;
    let fits = true;
    spend(2 * named.length);
    for (const [name, schema] of named) {
      if (!hasField(value, name)) continue;
      note(evaluated, name);
      if (schema === false ? refuseField(problems, name) : checkField(schema, name, value, problems)) continue;
      fits = false;
      if (isFull(problems)) return false;
    }
    return fits;
  };
}

function note(evaluated: Evaluated | null, name: string): void {
  if (!evaluated) return;
  spend(SET_ENTRY);
  evaluated.fields.add(name);
}

function refuseField(problems: Problems, name: string): false {
  if (isFull(problems)) return false;
  refuse(problems, 'false schema');
  problems?.at(-1)?.path.unshift(name);
  return false;
}

export function unevaluatedProperties(node: Schema): Keyword {
  return (value, problems, evaluated) => {
    if (!isPlainObject(value) || !evaluated) return true;
    let fits = true;
    for (const name of fieldNames(value)) {
      spend(SET_ENTRY);
      if (value[name] === undefined || evaluated.fields.has(name)) continue;
      evaluated.fields.add(name);
      if (node === null) continue;
      if (node === false) refuse(problems, 'unevaluatedProperties', { unevaluatedProperty: name });
      else if (checkChild(node, value[name], name, problems)) continue;
      fits = false;
      if (isFull(problems)) return false;
    }
    return fits;
  };
}
