import { stringify } from 'yaml';

interface SecretGenerator {
  name: string;
  envs?: string[];
  files?: string[];
}

/** The Secrets of a production overlay as a Kustomize component: named by their content, so that pods follow a change. */
export const secretsComponent = (names: readonly string[]): { kind: string; apiVersion: string; secretGenerator: SecretGenerator[] } => ({
  apiVersion: 'kustomize.config.k8s.io/v1alpha1',
  kind: 'Component',
  secretGenerator: [
    ...names.map((name) => ({ name: `switchyard-${name}`, envs: [`${name}.env`] })),
    { name: 'nats', files: ['nats.conf', 'authorization.conf'] },
  ],
});

export const secretsKustomization = (names: readonly string[]): string =>
  `# Written by kubernetes-secrets.js. Name this folder below \`components:\` of your overlay.\n${stringify(secretsComponent(names), { lineWidth: 0 })}`;
