import type { IJob } from 'kubernetes-models/batch/v1/Job';
import { IMAGE, type Manifest, labelsOf, restricted, restrictedPod } from './manifest';

const NAME = 'rotate-secrets';

/**
 * Encrypts all stored secrets with the first key of DATA_KEY, beside the running services. A component of its own, that
 * is added when a key is changed and taken away afterwards.
 */
const rotation: IJob = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: {
    name: NAME,
    labels: labelsOf(NAME),
    annotations: {
      'argocd.argoproj.io/sync-options': 'Force=true,Replace=true',
      'kustomize.toolkit.fluxcd.io/force': 'enabled',
    },
  },
  spec: {
    backoffLimit: 6,
    activeDeadlineSeconds: 21_600,
    template: {
      metadata: { labels: labelsOf(NAME) },
      spec: {
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        restartPolicy: 'OnFailure',
        securityContext: restrictedPod,
        containers: [
          {
            name: NAME,
            image: IMAGE,
            args: ['dist/tools/secrets/rotate-command.js'],
            envFrom: ['key', 'agent'].map((service) => ({
              prefix: `${service.toUpperCase()}_`,
              secretRef: { name: `switchyard-${service}` },
            })),
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

export const rotationJob = (): Manifest[] => [rotation] as Manifest[];
