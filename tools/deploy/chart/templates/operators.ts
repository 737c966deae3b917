import { keda, monitoring } from '../../kubernetes/components';
import type { Manifest } from '../../kubernetes/manifest';
import { Conditional, Inline, Lines, EditableManifest, type Tree, type TreeMap } from '../tree';
import { MORE_LABELS, placed } from './pod';

const NAMESPACE = 'namespaceSelector/matchLabels/kubernetes.io~1metadata.name';
const withPolicies = (value: string): string => `if and .Values.${value}.enabled .Values.networkPolicies.enabled`;

/** With the labels by which Prometheus finds it: they win over those of all objects. */
function found(opened: EditableManifest): EditableManifest {
  const labels = opened.at('/metadata/labels') as TreeMap;
  return opened.replace('/metadata/labels', {
    ...labels,
    [MORE_LABELS]: new Lines('include "switchyard.helmLabels" .'),
    '<found>': new Conditional('with merge (deepCopy .Values.monitoring.labels) .Values.commonLabels', new Lines('toYaml .')),
  });
}

export const monitoringDocuments = (): Tree[] =>
  monitoring().map((manifest: Manifest): Tree => {
    const opened = placed(new EditableManifest(manifest));
    const value = '.Values.monitoring';
    switch (manifest.kind) {
      case 'ServiceMonitor':
        return new Conditional(`if and ${value}.enabled ${value}.serviceMonitor.enabled`, found(opened).tree);
      case 'PrometheusRule':
        return new Conditional(`if and ${value}.enabled ${value}.prometheusRule.enabled`, found(opened).tree);
      case 'NetworkPolicy':
        for (const peer of ['ingress/0/from', 'egress/0/to'])
          opened.replace(`/spec/${peer}/0/${NAMESPACE}`, new Inline(`${value}.namespace | quote`));
        return new Conditional(withPolicies('monitoring'), opened.tree);
      default:
        throw new Error(`the chart does not know what is open in a ${manifest.kind}`);
    }
  });

export const kedaDocuments = (): Tree[] =>
  keda().map((manifest: Manifest): Tree => {
    const opened = placed(new EditableManifest(manifest));
    if (manifest.kind === 'NetworkPolicy') {
      opened.replace(`/spec/ingress/0/from/0/${NAMESPACE}`, new Inline('.Values.keda.namespace | quote'));
      return new Conditional(withPolicies('keda'), opened.tree);
    }
    const port = opened.text('/spec/triggers/0/metadata/natsServerMonitoringEndpoint').split(':')[1] ?? '';
    opened
      .replace('/spec/minReplicaCount', new Inline('.Values.keda.minReplicas | int'))
      .replace('/spec/maxReplicaCount', new Inline('.Values.keda.maxReplicas | int'))
      .replace(
        '/spec/triggers/0/metadata/natsServerMonitoringEndpoint',
        new Inline(`.Values.keda.natsMonitoringEndpoint | default (printf "nats.%s.svc:${port}" .Release.Namespace) | quote`),
      );
    return new Conditional('if .Values.keda.enabled', opened.tree);
  });
