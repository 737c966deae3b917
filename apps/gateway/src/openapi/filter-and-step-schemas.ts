import {
  type Class,
  type JsonSchema,
  STEP_TYPES,
  type StepType,
  descriptionOf,
  schemaOf,
  stepDeclaration,
} from '@switchyard/contracts';

type Components = Record<string, JsonSchema>;

const TEMPLATE: JsonSchema = { type: 'string', pattern: '\\{\\{', description: 'A template.' };

const VALUE: JsonSchema = {
  description: 'A value to compare with. A list matches each of its members.',
  type: ['string', 'number', 'boolean', 'null', 'array'],
};

const BOUND: JsonSchema = { type: ['string', 'number'] };

const FILTERS: Components = {
  Filter: {
    type: 'object',
    description:
      'Conditions on fields, which must all hold: `{"state": "new", "price": {"gte": 10}}`. `{}` matches everything.',
    properties: {
      and: { type: 'array', items: { $ref: '#/components/schemas/Filter' }, description: 'All of these must hold.' },
      or: { type: 'array', items: { $ref: '#/components/schemas/Filter' }, description: 'One of these must hold.' },
      not: { $ref: '#/components/schemas/Filter', description: 'This must not hold.' },
    },
    // Not `additionalProperties`: their type in TypeScript would have to fit `and`, `or` and `not` as well.
    patternProperties: { '^(?!(?:and|or|not)$)': { $ref: '#/components/schemas/FilterCondition' } },
    additionalProperties: true,
  },
  FilterCondition: {
    description: 'A value to compare with, or operators.',
    anyOf: [{ $ref: '#/components/schemas/FilterValue' }, { $ref: '#/components/schemas/FilterOperators' }],
  },
  FilterValue: VALUE,
  FilterOperators: {
    type: 'object',
    description: 'Conditions on one field, which must all hold.',
    properties: {
      eq: { description: 'Equal.' },
      ne: { description: 'Not equal.' },
      gt: { ...BOUND, description: 'Greater than this.' },
      gte: { ...BOUND, description: 'Greater than or equal to this.' },
      lt: { ...BOUND, description: 'Less than this.' },
      lte: { ...BOUND, description: 'Less than or equal to this.' },
      in: { type: 'array', description: 'One of these values.' },
      nin: { type: 'array', description: 'None of these values.' },
      contains: { description: 'The text or list contains this value.' },
      startsWith: { type: 'string', description: 'The text starts with this.' },
      exists: { type: 'boolean', description: 'Whether the field has a value, null included.' },
    },
    additionalProperties: false,
  },
};

const isText = ({ type, format, enum: values }: JsonSchema): boolean =>
  type === 'string' && format === undefined && values === undefined;

/** Each field may be a template instead. */
function templated(type: Class): JsonSchema {
  const schema = schemaOf(type, { closed: false });
  const properties = Object.entries(schema['properties'] as Components).map(([name, { description, ...field }]) => {
    const isOpen = Object.keys(field).length === 0;
    return [name, { ...(isOpen || isText(field) ? field : { anyOf: [field, TEMPLATE] }), description }];
  });
  return { ...schema, properties: Object.fromEntries(properties) as Components };
}

function stepSchema(type: StepType, step: JsonSchema): JsonSchema {
  const main = stepDeclaration(type).input({})?.types[0];
  const fields: JsonSchema = main ? templated(main) : { type: 'object' };
  return {
    ...step,
    description: (main && descriptionOf(main)) ?? 'Returns `with` after its templates are filled in.',
    properties: {
      ...(step['properties'] as Components),
      type: { type: 'string', const: type, description: 'Type of the step.' },
      with: { ...fields, description: 'Fields of the step. Strings may contain templates.' },
    },
  };
}

const nameOf = (type: StepType): string => `${type.charAt(0).toUpperCase()}${type.slice(1)}Step`;

/** `TaskStep` as a union of its types, each with its own fields of `with`. */
const stepSchemas = (step: JsonSchema): Components => ({
  ...Object.fromEntries(STEP_TYPES.map((type) => [nameOf(type), stepSchema(type, step)])),
  TaskStep: {
    description: step['description'],
    oneOf: STEP_TYPES.map((type) => ({ $ref: `#/components/schemas/${nameOf(type)}` })),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(STEP_TYPES.map((type) => [type, `#/components/schemas/${nameOf(type)}`])),
    },
  },
});

/** A field of the name `filter` that is any object becomes a reference to `Filter`. */
function withFilters(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withFilters);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      isFilter(name, value) ? filterField(value) : withFilters(value),
    ]),
  );
}

const isFilter = (name: string, value: unknown): value is JsonSchema =>
  name === 'filter' && typeof value === 'object' && value !== null && 'additionalProperties' in value;

function filterField({ type, description, 'x-max-bytes': bytes }: JsonSchema): JsonSchema {
  const reference = { $ref: '#/components/schemas/Filter' };
  return {
    ...(Array.isArray(type) ? { anyOf: [reference, { type: 'null' }] } : reference),
    ...(bytes === undefined ? {} : { 'x-max-bytes': bytes }),
    description,
  };
}

/** Adds schemas that the contracts check by code: filters, and steps by their type. */
export function detailed(schemas: Components): Components {
  const { TaskStep: step, ...others } = withFilters(schemas) as Components;
  return { ...others, ...FILTERS, ...(step ? stepSchemas(step) : {}) };
}
