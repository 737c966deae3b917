import type { JsonObject } from '../json';
import { subschemasOf } from './subschemas';

/** The formats of texts that JSON Schemas of users may ask for. What checks them is in the library of schemas. */
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

const KNOWN: ReadonlySet<string> = new Set(TEXT_FORMATS);

export const isTextFormat = (name: string): name is TextFormat => KNOWN.has(name);

/** Where a schema that was stored before asks for a format that is not checked: as pointers into it. */
export const uncheckedFormats = (schema: JsonObject | null): string[] =>
  schema === null
    ? []
    : subschemasOf(schema).flatMap(({ schema: part, path }) =>
        typeof part['format'] === 'string' && !isTextFormat(part['format']) ? [`${path}/format`] : [],
      );
