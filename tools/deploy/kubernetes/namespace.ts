import type { INamespace } from 'kubernetes-models/v1/Namespace';
import { NAMESPACE } from './manifest';

const level = (mode: string): [string, string] => [`pod-security.kubernetes.io/${mode}`, 'restricted'];

export const namespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: NAMESPACE, labels: Object.fromEntries(['enforce', 'warn', 'audit'].map(level)) },
} satisfies INamespace;
