import { fieldsOf } from './field';
import type { Class, Spec } from './field-schema';

/** A secret field (`inner` is null), or a field that contains some: in an object, or in the items of a list. */
export interface SecretField {
  name: string;
  inner: readonly SecretField[] | null;
}

const NONE: readonly SecretField[] = [];
const cache = new WeakMap<Class, readonly SecretField[]>();

/** Fields declared `secret`, at any depth. The values of a record are all secret or none. */
export function secretFieldsOf(type: Class): readonly SecretField[] {
  const existing = cache.get(type);
  if (existing) return existing;
  // Stops the recursion for classes that contain themselves.
  cache.set(type, NONE);
  const found = fieldsOf(type).flatMap(({ name, spec, options }): SecretField[] => {
    if (options.secret) return [{ name, inner: null }];
    const inner = innerOf(spec);
    return inner.length > 0 ? [{ name, inner }] : [];
  });
  const fields = found.length > 0 ? found : NONE;
  cache.set(type, fields);
  return fields;
}

function innerOf(spec: Spec): readonly SecretField[] {
  if (spec.kind === 'list') return spec.item ? innerOf(spec.item) : NONE;
  return spec.type ? secretFieldsOf(spec.type()) : NONE;
}

/** Secret values by path, as `password` or `secrets.0.value`. */
export type SecretValues = Record<string, unknown>;

/** Copies the data without its secret values, which go into `secrets`. */
export function withoutSecrets(
  fields: readonly SecretField[],
  data: object,
  secrets: SecretValues,
  prefix = '',
): Record<string, unknown> {
  const shown: Record<string, unknown> = { ...data };
  for (const { name, inner } of fields) {
    const value = shown[name];
    if (value === undefined || value === null) continue;
    const context = `${prefix}${name}`;
    if (inner === null) {
      secrets[context] = value;
      // Omitted from the JSON.
      shown[name] = undefined;
    } else if (Array.isArray(value)) {
      shown[name] = value.map((item: unknown, at) =>
        isObject(item) ? withoutSecrets(inner, item, secrets, `${context}.${at}.`) : item,
      );
    } else if (isObject(value)) shown[name] = withoutSecrets(inner, value, secrets, `${context}.`);
  }
  return shown;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Restores secret values at their paths, in place. Missing paths are skipped. */
export function putSecrets(data: unknown, secrets: SecretValues): void {
  for (const [context, value] of Object.entries(secrets)) {
    const names = context.split('.');
    const last = names.pop() ?? '';
    let parent = data;
    for (const name of names)
      parent = isObject(parent) && Object.hasOwn(parent, name) ? (parent as Record<string, unknown>)[name] : undefined;
    if (isObject(parent))
      Object.defineProperty(parent, last, { value, enumerable: true, writable: true, configurable: true });
  }
}
