import { CA_FOLDER } from '../../kubernetes/own-ca';
import { Block, Conditional, Inline, Lines, type EditableManifest, type Tree, given } from '../tree';

export const POD = '/spec/template/spec';
/** The place of lines that have no key of their own. */
export const MORE_LABELS = '<more>';
const CA = '.Values.ownCa.configMap';

/** Beside the labels that are always there: Helm's own, and those of the operator. */
export function labelled(opened: EditableManifest): EditableManifest {
  const metadata = opened.at('/metadata') as { labels?: Record<string, Tree>; name: string };
  return opened.add('/metadata/labels', {
    ...metadata.labels,
    [MORE_LABELS]: new Lines('include "switchyard.labels" .'),
  });
}

/** In the namespace of the release, and labelled. */
export const placed = (opened: EditableManifest): EditableManifest =>
  labelled(opened).add('/metadata/namespace', new Inline('.Release.Namespace'));

/** A value of the service where it has one, else that of all. */
const chosen = (name: string, service?: string): string =>
  service === undefined ? `.Values.${name}` : `${service}.${name} | default .Values.${name}`;

/** Common parts of all pods; `service` is the template variable with a service's values. */
export function openPod(opened: EditableManifest, service?: string): EditableManifest {
  const labels = opened.at('/spec/template/metadata/labels') as Record<string, Tree>;
  opened.add('/spec/template/metadata/labels', {
    ...labels,
    [MORE_LABELS]: new Conditional('with merge (deepCopy .Values.podLabels) .Values.commonLabels', new Lines('toYaml .')),
  });
  for (const name of ['nodeSelector', 'tolerations', 'affinity']) opened.add(`${POD}/${name}`, given(chosen(name, service)));
  opened.add(`${POD}/priorityClassName`, new Conditional(`with ${chosen('priorityClassName', service)}`, new Inline('. | quote')));
  return opened.add(
    `${POD}/imagePullSecrets`,
    new Conditional('if .Values.image.pullSecrets', new Block('include "switchyard.pullSecrets" .')),
  );
}

/** Containers of our own image. */
export function openContainer(opened: EditableManifest, at: string): EditableManifest {
  opened
    .replace(`${at}/image`, new Inline('include "switchyard.image" . | quote'))
    .add(`${at}/imagePullPolicy`, new Conditional('with .Values.image.pullPolicy', new Inline('.')));
  return opened.replace(`${at}/securityContext`, new Block('toYaml .Values.containerSecurityContext'));
}

/** Pods of our own image that speak to the servers: the authority of the operator is trusted by each container. */
export function trustOwnCa(opened: EditableManifest, containers: readonly string[]): EditableManifest {
  opened
    .replace(`${POD}/securityContext`, new Block('toYaml .Values.podSecurityContext'))
    .add(
      `${POD}/volumes/-`,
      new Conditional(`if ${CA}`, { name: 'ca', configMap: { name: new Inline(`${CA} | quote`) } }),
    );
  for (const at of containers) {
    const mount = { name: 'ca', mountPath: CA_FOLDER, readOnly: true };
    opened.add(`${at}/volumeMounts/-`, new Conditional(`if ${CA}`, mount));
    const variable = new Conditional(`if ${CA}`, { name: 'NODE_EXTRA_CA_CERTS', value: `${CA_FOLDER}/ca.crt` });
    opened.add(`${at}/env/-`, variable);
  }
  return opened;
}

/** Containers that are told nothing but what operators say: no key without content. */
export function openEnvOf(opened: EditableManifest, at: string, extraEnv: string): EditableManifest {
  const variables = opened.at(`${at}/env`) as Tree[];
  return opened.replace(
    `${at}/env`,
    new Conditional(`if or ${CA} ${extraEnv}`, [...variables, new Conditional(`with ${extraEnv}`, new Lines('toYaml .'))]),
  );
}

/** A reference to the Secret of a service or Job. */
export const openSecret = (opened: EditableManifest, reference: string, name: string): EditableManifest =>
  opened
    .replace(`${reference}/name`, new Inline(`include "switchyard.secret" (list . "${name}") | quote`))
    .add(`${reference}/optional`, new Conditional('if .Values.existingSecret.optional', true));

/** Annotations of a ServiceAccount. */
export const openAccount = (opened: EditableManifest, own: string): EditableManifest =>
  placed(opened).add(
    '/metadata/annotations',
    given(`merge (deepCopy ${own}.serviceAccount.annotations) .Values.serviceAccount.annotations`),
  );
