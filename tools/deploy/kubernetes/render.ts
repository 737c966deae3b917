import { stringify } from 'yaml';
import type { Kustomization } from './kustomizations';

const HEAD = '# Made from tools/deploy/kubernetes by `npm run docs`. Change it there, or in an overlay of your own.\n';

/** Kubernetes tools read YAML 1.1, where a bare `off` or `yes` is a boolean: such strings are quoted. */
const yaml = (value: unknown): string =>
  stringify(value, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });

export const renderAll = (manifests: readonly object[]): string => HEAD + manifests.map(yaml).join('---\n');

/** Kustomize wants patches as text. */
export const renderKustomization = ({ patches, ...rest }: Kustomization): string =>
  HEAD +
  yaml({
    ...rest,
    ...(patches ? { patches: patches.map(({ patch, ...target }) => ({ ...target, patch: yaml(patch) })) } : {}),
  });
