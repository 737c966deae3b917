import type { JsonObject } from '../json';
import { subschemasOf } from './subschemas';

/** Formats that users' JSON Schemas may name. libs/schemas implements them. */
export const TEXT_FORMATS = [
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'uri',
] as const;

export type TextFormat = (typeof TEXT_FORMATS)[number];

const CHECKED: ReadonlySet<string> = new Set(TEXT_FORMATS);

export const isTextFormat = (name: string): name is TextFormat => CHECKED.has(name);

/** Pointers to the formats in a stored schema that are not checked. */
export const uncheckedFormats = (schema: JsonObject | null): string[] =>
  schema === null
    ? []
    : subschemasOf(schema).flatMap(({ schema: part, path }) =>
        typeof part['format'] === 'string' && !isTextFormat(part['format']) ? [`${path}/format`] : [],
      );
