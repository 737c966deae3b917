/** Files of packages; the lockfile has an entry for each folder but the client's. */
export const PACKAGES = ['', 'apps/console', 'libs/client', 'proof'];

/** Texts that name the version of the project: in a tag, a file name or an argument. */
export const TEXTS = [
  'deploy/Dockerfile',
  'deploy/helm/switchyard/Chart.yaml',
  'deploy/helm/examples/production.yaml',
  'deploy/k8s/overlays/production/kustomization.yaml',
  'docs/reference/client.md',
  'docs/get-started/first-agent.md',
];

/** The version of messages between services: the minor number. */
export const CONTRACTS = 'libs/contracts/src/define/contracts-version.ts';

const NAMED = /((?:\bversion: |appVersion: |newTag: |tag: |--build-arg VERSION=|switchyard-client-))(\d+\.\d+\.\d+)/gu;

export const versionsIn = (text: string): string[] => [...text.matchAll(NAMED)].map(([, , found]) => found ?? '');

/** The text with another version of the project. Other versions in it stay. */
export const withVersion = (text: string, from: string, to: string): string =>
  text.replaceAll(NAMED, (all, before: string, found: string) => (found === from ? `${before}${to}` : all));
