import { type JsonObject, isPlainObject } from '@switchyard/kernel';
import { constKeyword, enumKeyword, typeKeyword } from './check/type-and-enum-keywords';
import {
  allItemsEvaluated,
  containsKeyword,
  itemsKeyword,
  maxItems,
  minItems,
  unevaluatedItems,
  uniqueItems,
} from './check/array-keywords';
import { allOf, anyOf, conditional, dependentSchemas, not, oneOf, reference } from './check/combining-keywords';
import { type Keyword, SchemaNode } from './check/check-node';
import { NUMBER_KEYWORDS } from './check/number-keywords';
import {
  type Schema,
  dependentRequired,
  fieldsKeyword,
  maxProperties,
  minProperties,
  propertyNames,
  required,
  unevaluatedProperties,
} from './check/object-keywords';
import { format, maxLength, minLength, pattern } from './check/string-keywords';
import { LinearPattern } from './patterns/linear-pattern';

const COUNTS: Record<string, (given: number) => Keyword> = {
  ...NUMBER_KEYWORDS,
  maxLength,
  minLength,
  maxItems,
  minItems,
  maxProperties,
  minProperties,
};

/** Builds nodes for the schemas of a document that the meta-schema accepted. */
export class SchemaBuilder {
  private readonly nodes = new Map<JsonObject, SchemaNode>();
  private readonly patterns = new Map<string, LinearPattern>();

  constructor(private readonly targets: ReadonlyMap<string, JsonObject | boolean>) {}

  node(schema: JsonObject): SchemaNode {
    const existing = this.nodes.get(schema);
    if (existing) return existing;
    const node = new SchemaNode();
    this.nodes.set(schema, node);
    node.keywords = [...this.assertions(schema), ...this.combinations(schema), ...this.unevaluated(schema)];
    node.asksEvaluated = 'unevaluatedProperties' in schema || 'unevaluatedItems' in schema;
    return node;
  }

  /** Throws if the pattern is invalid. */
  addPattern(text: string): void {
    this.compiled(text);
  }

  private schema(given: unknown): Schema {
    if (typeof given === 'boolean') return given ? null : false;
    return isPlainObject(given) ? this.node(given) : null;
  }

  private list(given: unknown): Schema[] | null {
    return Array.isArray(given) ? given.map((item) => this.schema(item)) : null;
  }

  private map(given: unknown): [string, Schema][] {
    return isPlainObject(given)
      ? Object.entries(given).flatMap(([name, item]) => (Array.isArray(item) ? [] : [[name, this.schema(item)]]))
      : [];
  }

  private compiled(text: string): LinearPattern {
    let compiled = this.patterns.get(text);
    if (!compiled) {
      compiled = new LinearPattern(text);
      this.patterns.set(text, compiled);
    }
    return compiled;
  }

  private assertions(schema: JsonObject): Keyword[] {
    const found: (Keyword | null)[] = [];
    const { type } = schema;
    if (type !== undefined) {
      const types = [type].flat().map(String);
      found.push(typeKeyword(schema['nullable'] === true && !types.includes('null') ? [...types, 'null'] : types));
    }
    if (Array.isArray(schema['enum'])) found.push(enumKeyword(schema['enum']));
    if (schema['const'] !== undefined) found.push(constKeyword(schema['const']));
    for (const [keyword, make] of Object.entries(COUNTS)) {
      const given = schema[keyword];
      if (typeof given === 'number') found.push(make(given));
    }
    if (typeof schema['pattern'] === 'string') found.push(pattern(schema['pattern'], this.compiled(schema['pattern'])));
    if (typeof schema['format'] === 'string') found.push(format(schema['format']));
    found.push(...this.ofArrays(schema), ...this.ofObjects(schema));
    return found.filter((keyword) => keyword !== null);
  }

  private ofArrays(schema: JsonObject): Keyword[] {
    const found: Keyword[] = [];
    if (schema['uniqueItems'] === true) found.push(uniqueItems);
    const prefix = this.list(schema['prefixItems']);
    if (prefix || schema['items'] !== undefined) found.push(itemsKeyword(prefix ?? [], this.schema(schema['items'])));
    if (schema['items'] !== undefined) found.push(allItemsEvaluated);
    if (schema['contains'] !== undefined) {
      const { minContains, maxContains } = schema;
      found.push(
        containsKeyword(
          this.schema(schema['contains']),
          typeof minContains === 'number' ? minContains : 1,
          typeof maxContains === 'number' ? maxContains : undefined,
        ),
      );
    }
    return found;
  }

  private ofObjects(schema: JsonObject): Keyword[] {
    const found: Keyword[] = [];
    if (Array.isArray(schema['required'])) found.push(required(schema['required'].map(String)));
    for (const keyword of ['dependentRequired', 'dependencies']) {
      const given = schema[keyword];
      if (!isPlainObject(given)) continue;
      const lists = Object.entries(given).filter((entry): entry is [string, string[]] => Array.isArray(entry[1]));
      if (lists.length > 0) found.push(dependentRequired(Object.fromEntries(lists)));
    }
    if (schema['propertyNames'] !== undefined) {
      const names = this.schema(schema['propertyNames']);
      if (names !== null) found.push(propertyNames(names));
    }
    const patterns = this.map(schema['patternProperties']);
    if (schema['properties'] !== undefined || patterns.length > 0 || schema['additionalProperties'] !== undefined) {
      found.push(
        fieldsKeyword({
          properties: new Map(this.map(schema['properties'])),
          patterns: patterns.map(([name, fields]) => ({ test: this.compiled(name), schema: fields })),
          others:
            schema['additionalProperties'] === undefined ? undefined : this.schema(schema['additionalProperties']),
        }),
      );
    }
    return found;
  }

  private combinations(schema: JsonObject): Keyword[] {
    const found: Keyword[] = [];
    for (const keyword of ['$ref', '$dynamicRef']) {
      const given = schema[keyword];
      const target = typeof given === 'string' ? this.targets.get(given) : undefined;
      if (target !== undefined)
        found.push(isPlainObject(target) ? reference(this.node(target)) : allOf([this.schema(target)]));
    }
    for (const [keyword, make] of [
      ['allOf', allOf],
      ['anyOf', anyOf],
      ['oneOf', oneOf],
    ] as const) {
      const schemas = this.list(schema[keyword]);
      if (schemas) found.push(make(schemas));
    }
    if (schema['not'] !== undefined) found.push(not(this.schema(schema['not'])));
    // Without `then` and `else`, `if` still marks fields as evaluated.
    if (schema['if'] !== undefined)
      found.push(conditional(this.schema(schema['if']), this.schema(schema['then']), this.schema(schema['else'])));
    for (const keyword of ['dependentSchemas', 'dependencies']) {
      const schemas = this.map(schema[keyword]);
      if (schemas.length > 0) found.push(dependentSchemas(new Map(schemas)));
    }
    return found;
  }

  private unevaluated(schema: JsonObject): Keyword[] {
    return [
      ...(schema['unevaluatedItems'] === undefined ? [] : [unevaluatedItems(this.schema(schema['unevaluatedItems']))]),
      ...(schema['unevaluatedProperties'] === undefined
        ? []
        : [unevaluatedProperties(this.schema(schema['unevaluatedProperties']))]),
    ];
  }
}
