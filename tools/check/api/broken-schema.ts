import type { JsonSchema } from '@switchyard/contracts';
import { listOf, recordOf, resolved, textOf, keysOf } from './document-parts';

export interface Documents {
  from: JsonSchema;
  to: JsonSchema;
}

interface Schemas {
  from: JsonSchema;
  to: JsonSchema;
  at: string;
  /** Input may only get wider, output only narrower. */
  isInput: boolean;
  documents: Documents;
  /** References that are being compared: a recursive schema ends here. */
  open?: readonly string[];
}

const UNIONS = ['anyOf', 'oneOf', 'allOf'];
/** Limits of values: an upper limit must not fall for input, a lower limit must not rise. */
const UPPER = ['maximum', 'maxLength', 'maxItems', 'maxProperties', 'x-max-bytes'];
const LOWER = ['minimum', 'minLength', 'minItems', 'minProperties'];

/** Changes of a schema that break a client which sends (input) or reads (output) its values. */
export function brokenSchema(schemas: Schemas): string[] {
  const pair = `${String(schemas.from['$ref'])} ${String(schemas.to['$ref'])}`;
  const isReference = '$ref' in schemas.from && '$ref' in schemas.to;
  if (isReference && schemas.open?.includes(pair)) return [];
  const within = {
    ...schemas,
    from: resolved(schemas.documents.from, schemas.from),
    to: resolved(schemas.documents.to, schemas.to),
    open: isReference ? [...(schemas.open ?? []), pair] : schemas.open,
  };
  return [
    ...brokenTypes(within),
    ...brokenValues(within),
    ...(within.isInput ? brokenLimits(within) : []),
    ...brokenProperties(within),
    ...brokenParts(within),
  ];
}

const typesOf = (schema: JsonSchema): string[] => [schema['type'] ?? []].flat() as string[];

function brokenTypes({ from, to, at, isInput }: Schemas): string[] {
  const [before, after] = [typesOf(from), typesOf(to)];
  if (before.length === 0 && after.length === 0) return [];
  const [narrow, wide] = isInput ? [before, after] : [after, before];
  // A schema without a type allows all of them.
  if (wide.length === 0) return [];
  const allows = (type: string): boolean => wide.includes(type) || (type === 'integer' && wide.includes('number'));
  return narrow.length > 0 && narrow.every(allows)
    ? []
    : [`${at}: the type changed from ${before.join(' or ') || 'any'} to ${after.join(' or ') || 'any'}`];
}

const valuesOf = (schema: JsonSchema): unknown[] | undefined =>
  'const' in schema ? [schema['const']] : (schema['enum'] as unknown[] | undefined);

/** Output may get new values: clients must expect statuses and types that they do not know. */
function brokenValues({ from, to, at, isInput }: Schemas): string[] {
  const [before, after] = [valuesOf(from), valuesOf(to)];
  if (!isInput || !after) return [];
  if (!before) return [`${at}: only ${after.map(String).join(', ')} are allowed now`];
  return before
    .filter((value) => !after.includes(value))
    .map((value) => `${at}: the value ${String(value)} was removed`);
}

function brokenLimits({ from, to, at }: Schemas): string[] {
  const limit = (schema: JsonSchema, name: string, otherwise: number): number =>
    typeof schema[name] === 'number' ? schema[name] : otherwise;
  const lowered = UPPER.filter((name) => limit(to, name, Infinity) < limit(from, name, Infinity));
  const raised = LOWER.filter((name) => limit(to, name, -Infinity) > limit(from, name, -Infinity));
  const texts = ['pattern', 'format'].filter((name) => to[name] !== undefined && to[name] !== from[name]);
  return [...lowered, ...raised, ...texts].map(
    (name) => `${at}: ${name} changed from ${textOf(from[name])} to ${textOf(to[name])}`,
  );
}

function brokenProperties(schemas: Schemas): string[] {
  const { from, to, at, isInput } = schemas;
  const [before, after] = [recordOf(from['properties']), recordOf(to['properties'])];
  const isOpen = to['additionalProperties'] !== false && isInput;
  const removed = keysOf(before).filter((name) => !(name in after) && !isOpen);
  const [required, requiredNow] = [listOf(from['required']), listOf(to['required'])];
  const [less, more] = isInput ? [required, requiredNow] : [requiredNow, required];
  const moved = more.filter((name) => !less.includes(name) && (isInput || String(name) in after));
  return [
    ...removed.map((name) => `${at}.${name}: the property was removed`),
    ...moved.map((name) => `${at}.${String(name)}: the property is ${isInput ? 'required' : 'optional'} now`),
    ...keysOf(before)
      .filter((name) => name in after)
      .flatMap((name) =>
        brokenSchema({ ...schemas, from: recordOf(before[name]), to: recordOf(after[name]), at: `${at}.${name}` }),
      ),
  ];
}

function brokenParts(schemas: Schemas): string[] {
  const { from, to, at, isInput } = schemas;
  const isClosed = isInput && to['additionalProperties'] === false && from['additionalProperties'] !== false;
  const inner = ['items', 'additionalProperties']
    .filter((name) => Object.keys(recordOf(from[name])).length > 0 && Object.keys(recordOf(to[name])).length > 0)
    .flatMap((name) => brokenSchema({ ...schemas, from: recordOf(from[name]), to: recordOf(to[name]), at: `${at}[]` }));
  return [
    ...(isClosed && from['properties'] === undefined ? [`${at}: other properties are refused now`] : []),
    ...inner,
    ...UNIONS.flatMap((name) => brokenUnion(schemas, listOf(from[name]), listOf(to[name]))),
  ];
}

/** Variants are compared in their order. */
function brokenUnion(schemas: Schemas, before: unknown[], after: unknown[]): string[] {
  const isNarrowed = schemas.isInput && after.length > 0 && after.length < before.length;
  return [
    ...(isNarrowed ? [`${schemas.at}: ${before.length - after.length} of its variants were removed`] : []),
    ...before
      .slice(0, after.length)
      .flatMap((one, index) => brokenSchema({ ...schemas, from: recordOf(one), to: recordOf(after[index]) })),
  ];
}
