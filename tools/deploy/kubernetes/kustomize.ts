import { tmpdir } from 'node:os';
import { kubernetesTool, runTool } from './binaries';
import { type Manifest, manifestsIn } from './manifest';

/** The manifests that `kubectl apply -k <folder>` would send. */
export function kustomized(folder: string): Manifest[] {
  const { code, stdout, stderr } = runTool(kubernetesTool('kubectl'), ['kustomize', folder], tmpdir());
  if (code !== 0) throw new Error(`kubectl kustomize ${folder}: ${stderr}`);
  return manifestsIn(stdout).map(inOneLine);
}

/** Kustomize wraps long values of Secrets, which the API accepts and the schema does not. */
function inOneLine(manifest: Manifest): Manifest {
  if (manifest.kind !== 'Secret') return manifest;
  const { data = {} } = manifest as Manifest & { data?: Record<string, string> };
  return { ...manifest, data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, value.replace(/\s/g, '')])) } as Manifest;
}
