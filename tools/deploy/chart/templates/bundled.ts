import { devServers } from '../../kubernetes/dev-servers';
import { IMAGE, type Manifest } from '../../kubernetes/manifest';
import { Block, Conditional, Inline, EditableManifest, type Tree } from '../tree';
import { WITH_SECRET, serverWorkloads } from '../values/bundled-values';
import { POD, openContainer, openPod, placed } from './pod';

const MAIN = `${POD}/containers/0`;
const CLAIM = '/spec/volumeClaimTemplates/0/spec';
const valueOf = (name: string): string => `.Values.bundled.${name}`;

function openSecret(opened: EditableManifest, name: string): void {
  const secret = new Inline(`${valueOf(name)}.existingSecret | quote`);
  const container = opened.at(MAIN) as { envFrom?: Tree[] };
  if (container.envFrom) opened.replace(`${MAIN}/envFrom/0/secretRef/name`, secret);
  const volumes = opened.at(`${POD}/volumes`) as { secret?: object }[];
  volumes.forEach(({ secret: volume }, index) => {
    if (volume) opened.replace(`${POD}/volumes/${index}/secret/secretName`, secret);
  });
}

function workload(manifest: Manifest): Tree {
  const { name } = manifest.metadata;
  const opened = placed(new EditableManifest(manifest));
  openPod(opened).replace(`${MAIN}/resources`, new Block(`toYaml ${valueOf(name)}.resources`));
  if (opened.at(`${MAIN}/image`) === IMAGE) openContainer(opened, MAIN);
  else opened.replace(`${MAIN}/image`, new Inline(`${valueOf(name)}.image | quote`));
  if (WITH_SECRET.includes(name)) openSecret(opened, name);
  if ('volumeClaimTemplates' in (opened.at('/spec') as object))
    opened
      .replace(`${CLAIM}/resources/requests/storage`, new Inline(`${valueOf(name)}.storage.size | quote`))
      .add(`${CLAIM}/storageClassName`, new Conditional(`with ${valueOf(name)}.storage.className`, new Inline('. | quote')));
  return new Conditional(`if ${valueOf(name)}.enabled`, opened.tree);
}

export const bundledDocuments = (): Tree[] => {
  const anyOf = serverWorkloads().map(([name]) => `${valueOf(name)}.enabled`).join(' ');
  return devServers().map((manifest): Tree => {
    if (manifest.kind === 'StatefulSet' || manifest.kind === 'Deployment') return workload(manifest);
    const opened = placed(new EditableManifest(manifest));
    if (manifest.kind === 'Service') return new Conditional(`if ${valueOf(manifest.metadata.name)}.enabled`, opened.tree);
    const isThere = manifest.metadata.name === 'dev-redis' ? `${valueOf('redis')}.enabled` : `(or ${anyOf})`;
    return new Conditional(`if and .Values.networkPolicies.enabled ${isThere}`, opened.tree);
  });
};
