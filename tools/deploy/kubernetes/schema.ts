import type { Manifest } from './manifest';

/** No package of schemas has it: its routes have a test of their own. */
export const GATEWAY_API = 'gateway.networking.k8s.io/v1';

const OPERATORS: Record<string, string> = {
  'keda.sh/v1alpha1': '@kubernetes-models/keda/keda.sh/v1alpha1',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
};

interface Read {
  path: string;
  value: object;
  keys: Set<PropertyKey>;
}

/**
 * The same value, which notes the fields that a reader asks for. The schemas are compiled validators and accept unknown
 * fields: one that no validator reads is unknown to it.
 */
function observed<T>(value: T, path: string, reads: Read[]): T {
  if (typeof value !== 'object' || value === null) return value;
  const read: Read = { path, value, keys: new Set() };
  reads.push(read);
  const copy = (
    Array.isArray(value)
      ? value.map((each, index) => observed<unknown>(each, `${path}/${index}`, reads))
      : Object.fromEntries(Object.entries(value).map(([key, each]) => [key, observed<unknown>(each, `${path}/${key}`, reads)]))
  ) as object;
  return new Proxy(copy, {
    get(target, key): unknown {
      read.keys.add(key);
      return Reflect.get(target, key);
    },
  }) as T;
}

const unreadIn = ({ path, value, keys }: Read): string[] =>
  Object.keys(value)
    .filter((key) => !keys.has(key))
    .map((key) => `${path}/${key}`);

/** Throws if a manifest is not what its schema of Kubernetes, KEDA or the Prometheus operator says, or has an unknown field. */
export async function checkSchema(manifest: Manifest): Promise<void> {
  const { apiVersion, kind } = manifest;
  const model = `${OPERATORS[apiVersion] ?? `kubernetes-models/${apiVersion}`}/${kind}`;
  const found = (await import(model)) as Record<string, { prototype: { validate(this: object): void } }>;
  const Model = found[kind];
  if (!Model) throw new Error(`no schema for ${kind}`);
  const reads: Read[] = [];
  // An instance would copy the manifest, and so read all of it.
  Model.prototype.validate.call(observed(manifest, '', reads));
  const unknown = reads.flatMap(unreadIn);
  if (unknown.length > 0) throw new Error(`unknown fields: ${unknown.join(', ')}`);
}
