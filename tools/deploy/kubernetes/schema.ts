import type { Manifest } from './manifest';

/** No package of schemas has it: its routes have a test of their own. */
export const GATEWAY_API = 'gateway.networking.k8s.io/v1';

const OPERATORS: Record<string, string> = {
  'keda.sh/v1alpha1': '@kubernetes-models/keda/keda.sh/v1alpha1',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
};

/** Throws where a manifest is not what its schema of Kubernetes, KEDA or the Prometheus operator says. */
export async function checkSchema(manifest: Manifest): Promise<void> {
  const { apiVersion, kind } = manifest;
  const model = `${OPERATORS[apiVersion] ?? `kubernetes-models/${apiVersion}`}/${kind}`;
  const found = (await import(model)) as Record<string, new (data: object) => { validate(): void }>;
  const Model = found[kind];
  if (!Model) throw new Error(`no schema for ${kind}`);
  new Model(manifest).validate();
}
