import { gatewayApi } from '../../kubernetes/gateway-api';
import { ingress, networkPolicies } from '../../kubernetes/network';
import { Block, Conditional, Inline, EditableManifest, type Tree, given } from '../tree';
import { placed } from './pod';

const V = '.Values.networkPolicies';
/** Values that operators can override, by policy. */
const OPEN: Record<string, [pointer: string, value: string, isOptional?: boolean][]> = {
  gateway: [['/spec/ingress/0/from', `${V}.gateway.from`, true]],
  'acme-solver': [['/spec/ingress/0/from', `${V}.acmeSolver.from`, true]],
  names: [['/spec/egress/0/to', `${V}.dns.to`]],
  servers: [
    ['/spec/egress/0/to', `${V}.servers.to`, true],
    ['/spec/egress/0/ports', `${V}.servers.ports`],
  ],
  redis: [
    ['/spec/egress/0/to', `${V}.redis.to | default ${V}.servers.to`, true],
    ['/spec/egress/0/ports', `${V}.redis.ports`],
  ],
  outside: [
    ['/spec/egress/0/to', `${V}.outside.to`],
    ['/spec/egress/0/ports', `${V}.outside.ports`],
  ],
};

export const networkDocuments = (): Tree[] =>
  networkPolicies().map((manifest) => {
    const opened = placed(new EditableManifest(manifest));
    for (const [pointer, value, isOptional] of OPEN[manifest.metadata.name] ?? []) {
      if (isOptional) opened.add(pointer, given(value));
      else opened.replace(pointer, new Block(`toYaml ${value}`));
    }
    const isOn = manifest.metadata.name === 'outside' ? `and ${V}.enabled ${V}.outside.enabled` : `${V}.enabled`;
    return new Conditional(`if ${isOn}`, opened.tree);
  });

export function ingressDocument(): Tree {
  const opened = placed(new EditableManifest(ingress()))
    .replace('/metadata/annotations', given('.Values.ingress.annotations'))
    .replace('/spec/ingressClassName', new Conditional('with .Values.ingress.className', new Inline('. | quote')))
    .replace('/spec/rules/0/host', new Inline('.Values.ingress.host | quote'))
    .add('/spec/tls', given('.Values.ingress.tls'));
  return new Conditional('if .Values.ingress.enabled', opened.tree);
}

const ROUTE = '.Values.httpRoute';

export const routeDocuments = (): Tree[] =>
  gatewayApi().map((manifest) => {
    const opened = placed(new EditableManifest(manifest));
    if (manifest.kind !== 'HTTPRoute') {
      const selector = '/spec/ingress/0/from/0/namespaceSelector/matchLabels/kubernetes.io~1metadata.name';
      opened.replace(selector, new Inline(`${ROUTE}.gateway.namespace | quote`));
      return new Conditional(`if and ${ROUTE}.enabled ${V}.enabled`, opened.tree);
    }
    const isRedirect = opened.at('/spec/parentRefs/0/sectionName') === 'http';
    const listener = `${ROUTE}.gateway.${isRedirect ? 'httpListener' : 'httpsListener'}`;
    opened
      .add('/metadata/annotations', given(`${ROUTE}.annotations`))
      .replace('/spec/parentRefs/0/name', new Inline(`${ROUTE}.gateway.name | quote`))
      .replace('/spec/parentRefs/0/namespace', new Inline(`${ROUTE}.gateway.namespace | quote`))
      .replace('/spec/parentRefs/0/sectionName', new Inline(`${listener} | quote`))
      .replace('/spec/hostnames', new Block(`toYaml ${ROUTE}.hostnames`));
    return new Conditional(isRedirect ? `if and ${ROUTE}.enabled ${listener}` : `if ${ROUTE}.enabled`, opened.tree);
  });
