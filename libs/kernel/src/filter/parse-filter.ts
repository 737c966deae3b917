import { invalid } from '../errors';
import { checkJson, isPlainObject } from '../json';
import { type FilterFieldType, readTyped } from './field-type';
import { EVERYTHING, type Filter, FILTER_OPERATORS, type FilterOperator, type FilterTest } from './filter';

export const FILTER_LIMITS = { depth: 32, tests: 500, members: 1000 };

type Fields = ReadonlyMap<string, FilterFieldType>;
type Parsing = { fields: Fields | undefined; tests: number };
type Subject = { field: string; type: FilterTest['type']; path: string };

const REFUSED = new Set(['__proto__', 'constructor', 'prototype']);
const ORDERED = new Set<FilterTest['type']>([
  'any',
  'json',
  'string',
  'text',
  'integer',
  'number',
  'decimal',
  'date',
  'datetime',
  'uuid',
]);
const STARTS: ReadonlySet<FilterTest['type']> = new Set(['any', 'json', 'string', 'text'] as const);
const CONTAINS: ReadonlySet<FilterTest['type']> = new Set(['any', 'json', 'string', 'text', 'string[]'] as const);

/**
 * Parses the filter language. With `fields`, names, operators and values are checked against their types. Throws
 * VALIDATION_ERROR with the path of the error.
 */
export function parseFilter(value: unknown, fields?: Fields, path = 'filter'): Filter {
  if (value === undefined || value === null) return EVERYTHING;
  checkJson(value);
  return parseObject(value, { fields, tests: 0 }, path, 0);
}

function parseObject(value: unknown, parsing: Parsing, path: string, depth: number): Filter {
  if (!isPlainObject(value)) throw invalid(path, 'must be an object of conditions');
  if (depth > FILTER_LIMITS.depth) throw invalid(path, `is nested deeper than ${FILTER_LIMITS.depth} levels`);
  const parts = Object.entries(value).map(([key, item]) => parseEntry(key, item, parsing, `${path}.${key}`, depth));
  return parts.length === 1 && parts[0] ? parts[0] : { kind: 'and', parts };
}

function parseEntry(key: string, value: unknown, parsing: Parsing, path: string, depth: number): Filter {
  if (key === 'and' || key === 'or') {
    if (!Array.isArray(value)) throw invalid(path, 'must be a list of filters');
    if (value.length > FILTER_LIMITS.members) throw invalid(path, `must hold at most ${FILTER_LIMITS.members} filters`);
    const parts = value.map((item, index) => parseObject(item, parsing, `${path}[${index}]`, depth + 1));
    return { kind: key, parts };
  }
  if (key === 'not') return { kind: 'not', part: parseObject(value, parsing, path, depth + 1) };
  const subject = { field: key, type: typeOf(key, parsing.fields, path), path };
  if (Array.isArray(value)) return test(subject, 'in', value, parsing);
  if (!isPlainObject(value)) return test(subject, 'eq', value, parsing);
  const operators = Object.entries(value);
  if (operators.length === 0) throw invalid(path, 'must hold an operator, as {"gt": 5}');
  const parts = operators.map(([name, operand]) => {
    const operator = FILTER_OPERATORS.find((candidate) => candidate === name);
    if (operator === undefined) {
      throw invalid(`${path}.${name}`, `is not an operator; use one of ${FILTER_OPERATORS.join(', ')}`);
    }
    return test({ ...subject, path: `${path}.${name}` }, operator, operand, parsing);
  });
  return parts.length === 1 && parts[0] ? parts[0] : { kind: 'and', parts };
}

function typeOf(field: string, fields: Fields | undefined, path: string): FilterTest['type'] {
  if (REFUSED.has(field)) throw invalid(path, `a field must not be called ${field}`);
  if (fields === undefined) return 'any';
  const type = fields.get(field);
  if (type === undefined) throw invalid(path, `there is no field called ${field}; names are exact, also in their case`);
  return type;
}

function test(subject: Subject, operator: FilterOperator, operand: unknown, parsing: Parsing): Filter {
  parsing.tests += 1;
  if (parsing.tests > FILTER_LIMITS.tests) {
    throw invalid(subject.path, `a filter must hold at most ${FILTER_LIMITS.tests} conditions`);
  }
  const { field, type } = subject;
  return { kind: 'test', field, type, operator, operand: readOperand(subject, operator, operand) };
}

function readOperand(subject: Subject, operator: FilterOperator, operand: unknown): unknown {
  const { type, path } = subject;
  switch (operator) {
    case 'eq':
    case 'ne':
      return readValue(type, operand, path);
    case 'in':
    case 'nin':
      if (!Array.isArray(operand)) throw invalid(path, 'must be a list');
      if (operand.length > FILTER_LIMITS.members)
        throw invalid(path, `must hold at most ${FILTER_LIMITS.members} values`);
      return operand.map((item, index) => readValue(type, item, `${path}[${index}]`));
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (!ORDERED.has(type)) throw invalid(path, `a field of type ${type} has no order`);
      if (typeof operand !== 'string' && typeof operand !== 'number')
        throw invalid(path, 'must be a string or a number');
      return readValue(type, operand, path);
    case 'startsWith':
      if (!STARTS.has(type)) throw invalid(path, `does not work on a field of type ${type}`);
      if (typeof operand !== 'string') throw invalid(path, 'must be a string');
      return operand;
    case 'contains':
      if (!CONTAINS.has(type)) throw invalid(path, `does not work on a field of type ${type}`);
      if (type !== 'any' && type !== 'json' && typeof operand !== 'string') throw invalid(path, 'must be a string');
      return operand;
    case 'exists':
      if (typeof operand !== 'boolean') throw invalid(path, 'must be true or false');
      return operand;
  }
}

function readValue(type: FilterTest['type'], value: unknown, path: string): unknown {
  if (value === null || type === 'any') return value;
  const read = readTyped(type, value);
  if ('problem' in read) throw invalid(path, read.problem);
  return read.value;
}
