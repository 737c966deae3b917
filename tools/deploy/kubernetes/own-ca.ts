import { SERVICES } from '../../launcher/service-names';
import type { JsonPatch, Patch } from './kustomizations';

/** A ConfigMap of the operator's own, with the certificates of his authority as `ca.crt`. */
export const CA_CONFIG_MAP = 'switchyard-ca';
export const CA_FOLDER = '/etc/switchyard-ca';

const add = (path: string, value: unknown): JsonPatch => ({ op: 'add', path, value });

const intoContainer = (path: string): JsonPatch[] => [
  add(`${path}/volumeMounts/-`, { name: 'ca', mountPath: CA_FOLDER, readOnly: true }),
  add(`${path}/env/-`, { name: 'NODE_EXTRA_CA_CERTS', value: `${CA_FOLDER}/ca.crt` }),
];

const pod = '/spec/template/spec';
const volume = add(`${pod}/volumes/-`, { name: 'ca', configMap: { name: CA_CONFIG_MAP } });

/** Every process trusts the authority beside the public ones: Node reads the variable as it starts. */
export const ownCaPatches = (): Patch[] => [
  ...SERVICES.map((name) => ({
    target: { kind: 'Deployment', name },
    patch: [
      volume,
      ...intoContainer(`${pod}/containers/0`),
      ...(name === 'gateway' ? [] : intoContainer(`${pod}/initContainers/0`)),
    ],
  })),
  // `migrate`, and `rotate-secrets` where the overlay names its component before this one.
  {
    target: { kind: 'Job' },
    patch: [volume, add(`${pod}/containers/0/env`, []), ...intoContainer(`${pod}/containers/0`)],
  },
];
