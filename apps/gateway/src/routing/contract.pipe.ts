import { Injectable, PipeTransform } from '@nestjs/common';
import type { ArgumentMetadata } from '@nestjs/common';
import { checkJson } from '@switchyard/kernel';
import { Class, FieldMetadata, checkRequest, fieldsOf, lowerIds } from '@switchyard/contracts';

function fromText(field: FieldMetadata, value: unknown): unknown {
  // A parameter that may be repeated and is given once.
  if (field.spec.kind === 'list') return Array.isArray(value) ? value : [value];
  if (typeof value !== 'string') return value;
  if (field.spec.kind === 'int' || field.spec.kind === 'number')
    return /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value;
  if (field.spec.kind === 'bool') return value === 'true' ? true : value === 'false' ? false : value;
  return value;
}

/** A query string only has texts: fields that are numbers or truth values by contract are read as such. */
function readQuery(type: Class, query: Record<string, unknown>): Record<string, unknown> {
  const fields = new Map(fieldsOf(type).map((field) => [field.name, field]));
  // A parameter called __proto__ is a field like others here, and refused as such.
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const field = fields.get(name);
      return [name, field ? fromText(field, value) : value];
    }),
  );
}

/** Holds bodies and queries to their class. Nothing is coerced but the case of ids, and unknown fields are refused. */
@Injectable()
export class ContractPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const type = metadata.metatype as Class | undefined;
    if (!type || (type as unknown) === Object || (type as unknown) === String || metadata.data !== undefined)
      return value;
    if (metadata.type === 'body') {
      // Only a body that is absent counts as empty: `null` is refused as each other value that is no object.
      const body = value === undefined ? {} : value;
      lowerIds(type, body);
      checkRequest(type, body);
      return body;
    }
    if (metadata.type === 'query') {
      const query = readQuery(type, (value ?? {}) as Record<string, unknown>);
      checkJson(query);
      lowerIds(type, query);
      checkRequest(type, query);
      return query;
    }
    return value;
  }
}
