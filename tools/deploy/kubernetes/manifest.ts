import { parseAllDocuments } from 'yaml';

/** Anything that `kubectl apply` takes. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> };
}

export const NAMESPACE = 'switchyard';

export const labelsOf = (name: string): Record<string, string> => ({
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/part-of': 'switchyard',
});

/** The documents of a text, as the tools of Kubernetes read them: YAML 1.1. */
export function manifestsIn(text: string): Manifest[] {
  const documents = parseAllDocuments(text, { version: '1.1' });
  const errors = documents.flatMap((document) => document.errors);
  if (errors.length > 0) throw new Error(errors.join('; '));
  return documents.map((document) => document.toJS() as Manifest | null).filter((each) => each !== null);
}
