import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CONTRACTS_VERSION } from '@switchyard/contracts';
import { projectRoot } from '../launcher/project-root';
import { version } from '../launcher/version';

const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');
const manifest = (file: string): { version: string } => JSON.parse(read(file)) as { version: string };

/** Every version of the project that a text names: in a tag, a file name or an argument. */
const named = /(?:\bversion: |appVersion: |newTag: |tag: |--build-arg VERSION=|switchyard-client-)(\d+\.\d+\.\d+)/gu;
const versionsIn = (file: string): string[] => [...read(file).matchAll(named)].map(([, found]) => found ?? '');

describe('the version of the project', () => {
  it.each(['apps/console', 'libs/client', 'proof'])('is the one of the package in %s', (folder) => {
    expect(manifest(`${folder}/package.json`).version).toBe(version);
  });

  it('is the one of the lockfile', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version?: string }> };
    for (const folder of ['', 'apps/console', 'proof']) expect(packages[folder]?.version).toBe(version);
  });

  it('is the one of messages between services', () => {
    const [major, minor] = version.split('.').map(Number);
    expect([major, minor]).toEqual([0, CONTRACTS_VERSION]);
  });

  it.each([
    'deploy/Dockerfile',
    'deploy/helm/switchyard/Chart.yaml',
    'deploy/helm/examples/production.yaml',
    'deploy/k8s/overlays/production/kustomization.yaml',
    'docs/reference/client.md',
  ])('is the one that %s names', (file) => {
    const found = versionsIn(file);
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found)).toEqual(new Set([version]));
  });
});
