import type { IPodSecurityContext } from 'kubernetes-models/v1/PodSecurityContext';
import type { ISecurityContext } from 'kubernetes-models/v1/SecurityContext';
import { IMAGE_USER } from '../container-env';

/** Anything that `kubectl apply` takes. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}

export const NAMESPACE = 'switchyard';
/** Overlays say which image this is. */
export const IMAGE = 'switchyard';
export const PART_OF = { 'app.kubernetes.io/part-of': 'switchyard' };

/** Selects the pods of these services. */
export const oneOf = (names: readonly string[]): { matchExpressions: { key: string; operator: string; values: string[] }[] } => ({
  matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: [...names] }],
});

export const labelsOf = (name: string): Record<string, string> => ({ 'app.kubernetes.io/name': name, ...PART_OF });

/** Required by the namespace's `restricted` level, and a read-only root. */
export const restricted: ISecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

/** The user of the image. */
export const restrictedPod: IPodSecurityContext = { runAsNonRoot: true, runAsUser: IMAGE_USER, seccompProfile: { type: 'RuntimeDefault' } };
