import type { Manifest } from '../../kubernetes/manifest';
import { migrationJob } from '../../kubernetes/migrate';
import { rotationJob } from '../../kubernetes/rotate-secrets';
import { printMap } from '../print';
import { Block, Conditional, Inline, EditableManifest, type Tree, type TreeMap } from '../tree';
import { POD, openAccount, openContainer, openEnvOf, openPod, openSecret, placed, trustOwnCa } from './pod';

interface JobTemplate {
  head: string;
  documents: Tree[];
}

/** Secrets of a Job are named by the service, which their Kustomize names end in. */
function openSecrets(opened: EditableManifest, at: string): void {
  const sources = opened.at(`${at}/envFrom`) as { secretRef?: { name: string } }[];
  sources.forEach(({ secretRef }, index) => {
    if (!secretRef) return;
    openSecret(opened, `${at}/envFrom/${index}/secretRef`, secretRef.name.replace('switchyard-', ''));
  });
}

/**
 * A Job cannot be changed, and hooks would begin before the accounts, policies and bundled servers that they need are there:
 * its name ends in a hash of what it is, so that another version is another Job, and the one before goes.
 */
function job(manifest: Manifest, value: string): { head: string; tree: TreeMap } {
  const container = `${POD}/containers/0`;
  const opened = placed(new EditableManifest(manifest));
  openPod(openContainer(opened, container));
  openSecrets(opened, container);
  trustOwnCa(opened.add(`${container}/env`, []), [container]);
  openEnvOf(opened, container, `.Values.${value}.extraEnv`);
  if (value === 'migrate') opened.replace(`${container}/resources`, new Block(`toYaml .Values.${value}.resources`));
  const name = `switchyard.job.${manifest.metadata.name}`;
  const spec = printMap(opened.at('/spec') as TreeMap, 0);
  opened
    .replace('/metadata/name', new Inline(`printf "${manifest.metadata.name}-%s" (include "${name}" . | sha256sum | trunc 10)`))
    .replace('/spec', new Block(`include "${name}" .`));
  return { head: [`{{- define "${name}" -}}`, ...spec, '{{- end }}'].join('\n'), tree: opened.tree };
}

function template(manifests: Manifest[], value: string): JobTemplate {
  const heads: string[] = [];
  const documents = manifests.map((manifest): Tree => {
    if (manifest.kind === 'ServiceAccount') return openAccount(new EditableManifest(manifest), `.Values.${value}`).tree;
    const { head, tree } = job(manifest, value);
    heads.push(head);
    return tree;
  });
  return {
    head: heads.join('\n'),
    documents: documents.map((each) => new Conditional(`if .Values.${value}.enabled`, each)),
  };
}

export const migrateTemplate = (): JobTemplate => template(migrationJob(), 'migrate');
export const rotateTemplate = (): JobTemplate => template(rotationJob(), 'rotateSecrets');
