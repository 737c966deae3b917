import type { DatasetField, DatasetSchema, SearchLanguage } from '@switchyard/contracts';
import { type FilterFieldType, invalid, jsonBytes, jsonEqual } from '@switchyard/kernel';
import type { StoredField, StoredSchema } from './table-layout';
import { readField } from './parse-field-value';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
const RESERVED = new Set(['id', 'createdAt', 'updatedAt']);
const REFUSED = new Set(['__proto__', 'constructor', 'prototype', 'and', 'or', 'not']);
const WORDS: readonly FilterFieldType[] = ['string', 'text', 'string[]'];
const TEXTS: readonly FilterFieldType[] = ['string', 'text'];
const NEVER_UNIQUE: readonly FilterFieldType[] = ['json', 'string[]', 'boolean'];

/** JSON of a default, and of all values that a field takes. Each record that lacks the field stores its default. */
export const DEFAULT_BYTES = 4 * 1024;
export const ENUM_BYTES = 64 * 1024;

/** The fields of a new dataset with their column numbers. */
export function checkNewSchema(schema: DatasetSchema): StoredSchema {
  schema.fields.forEach((field, index) => checkFieldSizes(field, `schema.fields[${index}]`));
  return checkSchema(schema);
}

/** Before the values are looked at. Fields of before may be larger, and stay as they are. */
function checkFieldSizes(field: DatasetField, path: string): void {
  if (field.default !== undefined && jsonBytes(field.default, DEFAULT_BYTES) > DEFAULT_BYTES)
    throw invalid(`${path}.default`, `must be at most ${DEFAULT_BYTES} bytes of JSON`);
  if (field.enum !== undefined && jsonBytes(field.enum, ENUM_BYTES) > ENUM_BYTES)
    throw invalid(`${path}.enum`, `must be at most ${ENUM_BYTES} bytes of JSON`);
}

/** Refuses a schema that no table could be made for; gives the fields with their column numbers. */
function checkSchema(schema: DatasetSchema): StoredSchema {
  const seen = new Set<string>();
  const fields = schema.fields.map((field, index) => {
    const path = `schema.fields[${index}]`;
    checkField(field, path);
    if (seen.has(field.name)) throw invalid(`${path}.name`, `there is more than one field called ${field.name}`);
    seen.add(field.name);
    return storedField(field, index + 1);
  });
  return { fields, ...withLanguage(schema.language) };
}

function checkField(field: DatasetField, path: string): void {
  if (!NAME.test(field.name)) {
    throw invalid(
      `${path}.name`,
      'must begin with a letter or an underscore and hold letters, digits and underscores, at most 63',
    );
  }
  if (RESERVED.has(field.name)) throw invalid(`${path}.name`, `${field.name} is reserved: every record has it anyway`);
  if (REFUSED.has(field.name)) throw invalid(`${path}.name`, `a field must not be called ${field.name}`);
  if (field.fullText === true && !WORDS.includes(field.type))
    throw invalid(`${path}.fullText`, `needs a field of type ${WORDS.join(', ')}`);
  if (field.vector === true && !TEXTS.includes(field.type))
    throw invalid(`${path}.vector`, `needs a field of type ${TEXTS.join(', ')}`);
  if (field.unique === true && NEVER_UNIQUE.includes(field.type))
    throw invalid(`${path}.unique`, `is not for the type ${field.type}`);
  checkValues(field, path);
}

function checkValues(field: DatasetField, path: string): void {
  const bare: DatasetField = { ...field, enum: undefined };
  field.enum?.forEach((value, index) => {
    const read = readField(bare, value);
    if ('problem' in read) throw invalid(`${path}.enum[${index}]`, read.problem);
  });
  if (field.default === undefined || field.default === null) return;
  const read = readField(field, field.default);
  if ('problem' in read) throw invalid(`${path}.default`, read.problem);
}

/** Only what was given, so that the answer shows the schema as it was sent. */
function storedField(field: DatasetField, column: number): StoredField {
  const stored: StoredField = { name: field.name, type: field.type, column };
  if (field.required !== undefined) stored.required = field.required;
  if (field.unique !== undefined) stored.unique = field.unique;
  if (field.indexed !== undefined) stored.indexed = field.indexed;
  if (field.fullText !== undefined) stored.fullText = field.fullText;
  if (field.vector !== undefined) stored.vector = field.vector;
  if (field.default !== undefined) stored.default = field.default;
  if (field.enum !== undefined) stored.enum = field.enum;
  return stored;
}

const withLanguage = (language: SearchLanguage | undefined): { language?: SearchLanguage } =>
  language === undefined ? {} : { language };

export function shownSchema(stored: StoredSchema): DatasetSchema {
  const fields = stored.fields.map(({ column: _, ...field }) => field);
  return { fields, ...withLanguage(stored.language) };
}

/** The schema after a change: every field as it was, and new optional ones. Anything else is refused. */
export function extendSchema(
  current: StoredSchema,
  next: DatasetSchema,
): { schema: StoredSchema; added: StoredField[] } {
  const stored = new Map(current.fields.map((field) => [field.name, field]));
  next.fields.forEach((field, index) => {
    const before = stored.get(field.name);
    if (before === undefined || !isSame(before, field)) checkFieldSizes(field, `schema.fields[${index}]`);
  });
  const requested = checkSchema(next);
  if (next.language !== undefined && next.language !== (current.language ?? 'english')) {
    throw invalid('schema.language', 'cannot be changed; create another dataset');
  }
  const slots = new Map(requested.fields.map((field, index) => [field.name, { field, index }]));
  for (const field of current.fields) {
    const slot = slots.get(field.name);
    if (slot === undefined) throw invalid('schema.fields', `${field.name} is missing; fields cannot be removed`);
    if (!isSame(field, slot.field)) {
      throw invalid(`schema.fields[${slot.index}]`, `${field.name} must stay as it is; only new fields can be added`);
    }
  }
  let column = Math.max(0, ...current.fields.map((field) => field.column));
  const added: StoredField[] = [];
  const fields = requested.fields.map((field, index) => {
    const old = stored.get(field.name);
    if (old !== undefined) return old;
    if (field.required === true) throw invalid(`schema.fields[${index}].required`, 'a new field must be optional');
    column += 1;
    const fresh = { ...field, column };
    added.push(fresh);
    return fresh;
  });
  return { schema: { fields, ...withLanguage(current.language) }, added };
}

const FLAGS = ['required', 'unique', 'indexed', 'fullText', 'vector'] as const;

/** A flag that is false is the same as one that is not there. */
const isSame = (left: DatasetField, right: DatasetField): boolean =>
  left.name === right.name &&
  left.type === right.type &&
  FLAGS.every((flag) => (left[flag] ?? false) === (right[flag] ?? false)) &&
  jsonEqual(left.default, right.default) &&
  jsonEqual(left.enum, right.enum);
