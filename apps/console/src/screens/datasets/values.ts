import type { DataRecord, DatasetField } from '@switchyard/client';

/** A field's value as it is typed: texts as they are, lists and JSON as JSON. What has no value is empty. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What was typed, as the API takes it. What is no value of the type travels as it is: the API says what is wrong. */
export function valueOf(field: Pick<DatasetField, 'type' | 'enum'>, text: string): unknown {
  if (text === '') return null;
  if (field.enum !== undefined) {
    const listed = field.enum.find((item) => textOf(item) === text);
    if (listed !== undefined) return listed;
  }
  switch (field.type) {
    case 'integer':
    case 'number':
      return Number.isFinite(Number(text)) && text.trim() !== '' ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'json':
    case 'string[]':
      return fromJson(text);
    default:
      return text;
  }
}

/** The texts that are the only ones allowed, or null where anything may be typed. */
export function choicesOf(field: DatasetField): string[] | null {
  if (field.enum !== undefined) return field.enum.map(textOf);
  return field.type === 'boolean' ? ['true', 'false'] : null;
}

export const isLong = ({ type }: DatasetField): boolean => type === 'text' || type === 'json' || type === 'string[]';

export const isNumeric = ({ type }: DatasetField): boolean =>
  type === 'integer' || type === 'number' || type === 'decimal';

export const createdAt = (record: DataRecord): string => String(record['createdAt']);

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
