import { type JsonObject, type Subschema, isPlainObject, subschemasOf } from '@switchyard/kernel';

const REFERENCES = ['$ref', '$dynamicRef'];

/** Target of a reference, or undefined. Only the top schema has an id, so all names belong to one document. */
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

/** Named schemas of a document, read once for all references. The first of a name wins. */
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
  /** Includes reference targets outside of JSON Schema's own keywords. */
  parts: Subschema[];
  /** By the text of the reference. */
  targets: Map<string, JsonObject | boolean>;
  missing: string[];
}

/** Every schema that a check of this one may reach. */
export function schemaParts(root: JsonObject, most: number): SchemaParts {
  const parts = subschemasOf(root);
  const seen = new Set(parts.map(({ schema }) => schema));
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
      if (typeof target === 'boolean' || seen.has(target)) continue;
      for (const part of subschemasOf(target)) {
        if (seen.has(part.schema)) continue;
        seen.add(part.schema);
        parts.push({ ...part, path: `${reference.slice(1)}${part.path}` });
      }
    }
  }
  return { parts, targets, missing: [...missing] };
}
