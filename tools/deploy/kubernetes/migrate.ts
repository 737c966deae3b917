import type { IJob } from 'kubernetes-models/batch/v1/Job';
import type { IServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { IMAGE, type Manifest, labelsOf, restricted, restrictedPod } from './manifest';

const account: IServiceAccount = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'migrate', labels: labelsOf('migrate') },
  automountServiceAccountToken: false,
};

/**
 * Makes roles, schemas and tables with the administrator's login, and the streams with the migration's: no service has
 * either. Every pod waits for it by itself,
 * so no order is needed between this Job and the Deployments. A Job cannot be changed: Argo CD and Flux replace it when a
 * new version changes its image. It has no time to live, because GitOps would run it again each time it disappears.
 */
const migrations: IJob = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: {
    name: 'migrate',
    labels: labelsOf('migrate'),
    annotations: {
      'argocd.argoproj.io/sync-options': 'Force=true,Replace=true',
      'kustomize.toolkit.fluxcd.io/force': 'enabled',
    },
  },
  spec: {
    backoffLimit: 6,
    activeDeadlineSeconds: 1800,
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
            envFrom: [{ configMapRef: { name: 'switchyard' } }, { secretRef: { name: 'switchyard-migrate' } }],
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

export const migrationJob = (): Manifest[] => [account, migrations] as Manifest[];
