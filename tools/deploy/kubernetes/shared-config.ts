import type { IConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { INamespace } from 'kubernetes-models/v1/Namespace';
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import type { IServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { fixedEnv } from '../container-env';
import { IMAGE, type Manifest, NAMESPACE, labelsOf, restricted, restrictedPod } from './manifest';

const level = (mode: string): [string, string] => [`pod-security.kubernetes.io/${mode}`, 'restricted'];

const namespace: INamespace = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: NAMESPACE, labels: Object.fromEntries(['enforce', 'warn', 'audit'].map(level)) },
};

/** What all services are told and nobody needs to hide. Addresses of servers come with the Secrets: they hold passwords. */
const config = (): IConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'switchyard' },
  data: fixedEnv(),
});

const account: IServiceAccount = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'migrate', labels: labelsOf('migrate') },
  automountServiceAccountToken: false,
};

/**
 * Makes roles, schemas and tables, with the administrator's login, which no service has. Pods wait for it by
 * themselves; Argo CD also runs it before them, and anew for each version.
 */
const migrations: IJob = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: {
    name: 'migrate',
    labels: labelsOf('migrate'),
    annotations: {
      'argocd.argoproj.io/sync-wave': '-1',
      'argocd.argoproj.io/sync-options': 'Force=true,Replace=true',
    },
  },
  spec: {
    backoffLimit: 6,
    activeDeadlineSeconds: 1800,
    ttlSecondsAfterFinished: 600,
    template: {
      metadata: { labels: labelsOf('migrate') },
      spec: {
        serviceAccountName: 'migrate',
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        restartPolicy: 'OnFailure',
        securityContext: restrictedPod,
        containers: [
          {
            name: 'migrate',
            image: IMAGE,
            args: ['dist/tools/deploy/prepare.js'],
            envFrom: [{ secretRef: { name: 'switchyard-migrate' } }],
            resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '512Mi' } },
            securityContext: restricted,
            volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
          },
        ],
        volumes: [{ name: 'tmp', emptyDir: { sizeLimit: '64Mi' } }],
      },
    },
  },
};

export const namespaceAndConfig = (): Manifest[] => [namespace, config()] as Manifest[];
export const migrationJob = (): Manifest[] => [account, migrations] as Manifest[];
