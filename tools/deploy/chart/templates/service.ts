import type { ServiceName } from '../../../launcher/service-names';
import { readsRedis } from '../../../launcher/services/redis-readers';
import { SCALED_BY_KEDA } from '../../kubernetes/components';
import { manifestsOf } from '../../kubernetes/workloads';
import { Block, Conditional, Inline, Lines, EditableManifest, type Tree, given } from '../tree';
import { POD, openAccount, openContainer, openPod, openSecret, placed, trustOwnCa } from './pod';

const OWN = '$service';
const number = (expression: string): Inline => new Inline(`${expression} | int`);

/** Environment of a container besides its Secret and the ConfigMap. The last of a name wins. */
function openEnv(opened: EditableManifest, at: string, name: ServiceName): EditableManifest {
  const secret = (opened.at(`${at}/envFrom`) as Tree[]).length - 1;
  openSecret(opened, `${at}/envFrom/${secret}/secretRef`, name);
  const addresses = [['NATS_URL', 'natsUrl'], ...(readsRedis(name) ? [['REDIS_URL', 'redisUrl']] : [])];
  for (const [variable, value] of addresses)
    opened.add(
      `${at}/env/-`,
      new Conditional(`with .Values.externalServers.${value}`, { name: variable, value: new Inline('. | quote') }),
    );
  return opened;
}

function deployment(opened: EditableManifest, name: ServiceName): Tree {
  const main = `${POD}/containers/0`;
  const containers = name === 'gateway' ? [main] : [main, `${POD}/initContainers/0`];
  const isScaled = SCALED_BY_KEDA.includes(name as never) ? `(or ${OWN}.autoscaling.enabled .Values.keda.enabled)` : `${OWN}.autoscaling.enabled`;
  placed(opened)
    .add('/metadata/annotations', given('.Values.deploymentAnnotations'))
    .add('/spec/replicas', new Conditional(`if not ${isScaled}`, number(`${OWN}.replicas`)))
    .add('/spec/template/metadata/annotations', {
      'checksum/config': new Inline('include "switchyard.config" . | sha256sum'),
      '<more>': new Conditional(
        `with merge (deepCopy ${OWN}.podAnnotations) .Values.podAnnotations`,
        new Lines('toYaml .'),
      ),
    })
    .replace(
      `${POD}/topologySpreadConstraints`,
      (found) =>
        new Conditional(
          `with ${OWN}.topologySpreadConstraints | default .Values.topologySpreadConstraints`,
          new Block('toYaml .'),
          found,
        ),
    )
    .replace(`${main}/resources`, new Block(`toYaml ${OWN}.resources`))
    .replace(
      `${main}/env/1/value`,
      new Inline(`printf "${opened.text(`${main}/env/1/value`).replace(/\d+$/, '%d')}" (int ${OWN}.maxOldSpaceMi) | quote`),
    );
  openPod(opened, OWN);
  for (const at of containers) openEnv(openContainer(opened, at), at, name);
  trustOwnCa(opened, containers);
  const more = (pointer: string, value: string): EditableManifest =>
    opened.add(`${pointer}/-`, new Conditional(`with ${OWN}.${value}`, new Lines('toYaml .')));
  for (const at of containers) {
    more(`${at}/env`, 'extraEnv');
    more(`${at}/volumeMounts`, 'extraVolumeMounts');
  }
  more(`${POD}/volumes`, 'extraVolumes');
  return opened.tree;
}

function autoscaler(opened: EditableManifest, name: ServiceName): Tree {
  placed(opened)
    .replace('/spec/minReplicas', number(`${OWN}.autoscaling.minReplicas`))
    .replace('/spec/maxReplicas', number(`${OWN}.autoscaling.maxReplicas`))
    .replace('/spec/metrics/0/resource/target/averageUtilization', number(`${OWN}.autoscaling.targetCPUUtilizationPercentage`));
  const isOurs = SCALED_BY_KEDA.includes(name as never)
    ? `and ${OWN}.autoscaling.enabled (not .Values.keda.enabled)`
    : `${OWN}.autoscaling.enabled`;
  return new Conditional(`if ${isOurs}`, opened.tree);
}

/** The documents of one service's file, and the line that they begin with. */
export function serviceTemplate(name: ServiceName): { head: string; documents: Tree[] } {
  const documents = manifestsOf(name).map((manifest): Tree => {
    const opened = new EditableManifest(manifest);
    switch (manifest.kind) {
      case 'ServiceAccount':
        return openAccount(opened, OWN).tree;
      case 'Deployment':
        return deployment(opened, name);
      case 'Service':
        return placed(opened).tree;
      case 'PodDisruptionBudget':
        return new Conditional('if .Values.podDisruptionBudgets.enabled', placed(opened).tree);
      case 'HorizontalPodAutoscaler':
        return autoscaler(opened, name);
      default:
        throw new Error(`the chart does not know what is open in a ${manifest.kind}`);
    }
  });
  return { head: `{{- ${OWN} := index .Values.services "${name}" }}`, documents };
}
