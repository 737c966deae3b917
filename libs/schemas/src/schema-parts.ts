import { type JsonObject, type Subschema, isPlainObject, subschemasOf } from '@switchyard/kernel';

const REFERENCES = ['$ref', '$dynamicRef'];

/** Where a reference leads, or undefined. Schemas have an id at the top only, so that all names are of one document. */
function targetOf(root: JsonObject, anchors: ReadonlyMap<unknown, JsonObject>, reference: string): unknown {
  const name = decoded(reference.slice(1));
  if (name === '') return root;
  if (!name.startsWith('/')) return anchors.get(name);
  let at: unknown = root;
  for (const part of name.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = at[Number(key)];
    else at = isPlainObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

/** The schemas of a document that have a name, read once for all references to them. The first one of a name counts. */
function anchorsOf(parts: readonly Subschema[]): Map<unknown, JsonObject> {
  const anchors = new Map<unknown, JsonObject>();
  for (const { schema } of parts)
    for (const name of [schema['$anchor'], schema['$dynamicAnchor']])
      if (name !== undefined && !anchors.has(name)) anchors.set(name, schema);
  return anchors;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export interface SchemaParts {
  /** Also those that stand where JSON Schema has none, where a reference leads there. */
  parts: Subschema[];
  /** By the text of the reference. */
  targets: Map<string, JsonObject | boolean>;
  missing: string[];
}

/** Every schema that a check of this one may meet. */
export function schemaParts(root: JsonObject, most: number): SchemaParts {
  const parts = subschemasOf(root);
  const known = new Set(parts.map(({ schema }) => schema));
  const targets = new Map<string, JsonObject | boolean>();
  const missing = new Set<string>();
  const anchors = anchorsOf(parts);
  for (let at = 0; at < parts.length && parts.length <= most; at += 1) {
    for (const keyword of REFERENCES) {
      const reference = parts[at]?.schema[keyword];
      if (typeof reference !== 'string' || targets.has(reference) || missing.has(reference)) continue;
      const target = targetOf(root, anchors, reference);
      if (typeof target !== 'boolean' && !isPlainObject(target)) {
        missing.add(reference);
        continue;
      }
      targets.set(reference, target);
      if (typeof target === 'boolean' || known.has(target)) continue;
      for (const part of subschemasOf(target)) {
        if (known.has(part.schema)) continue;
        known.add(part.schema);
        parts.push({ ...part, path: `${reference.slice(1)}${part.path}` });
      }
    }
  }
  return { parts, targets, missing: [...missing] };
}
