import type { DataRecord, DatasetField } from '@switchyard/client';

/** A value as text: strings unchanged, lists and objects as JSON, null as empty. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value as it is typed into its field: `valueOf` makes the same value of it again, the text "12" of JSON too. */
export const typedText = ({ type }: Pick<DatasetField, 'type'>, value: unknown): string =>
  type === 'json' && typeof value === 'string' ? JSON.stringify(value) : textOf(value);

/** Converts typed text for the API. Invalid values are sent unchanged, and the API reports the error. */
export function valueOf(field: Pick<DatasetField, 'type' | 'enum'>, text: string): unknown {
  if (text === '') return null;
  if (field.enum !== undefined) {
    const listed = field.enum.find((item) => typedText(field, item) === text);
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

/** Rewords the API's error for the user: that a decimal is sent as a string is an internal detail. */
export const problemWords = (type: DatasetField['type'] | undefined, text: string | undefined): string | undefined =>
  type === 'decimal' && text?.startsWith('must be a decimal') ? 'must be a decimal number, as 12.50' : text;

/** The texts that are the only ones allowed, or null where anything may be typed. */
export function choicesOf(field: DatasetField): string[] | null {
  if (field.enum !== undefined) return field.enum.map((item) => typedText(field, item));
  return field.type === 'boolean' ? ['true', 'false'] : null;
}

/** Texts as one types a list of them. Where a comma does not tell them apart, a list of JSON. */
export function listText(texts: readonly string[]): string {
  const plain = texts.join(', ');
  return JSON.stringify(textsIn(plain)) === JSON.stringify(texts) ? plain : JSON.stringify(texts);
}

export function textsIn(list: string): string[] {
  const parsed = list.trim().startsWith('[') ? fromJson(list) : null;
  if (Array.isArray(parsed)) return parsed.map(textOf);
  return list
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
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
