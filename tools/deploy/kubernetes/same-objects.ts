import { isDeepStrictEqual } from 'node:util';
import type { Manifest } from './manifest';

/** Labels that every object of a chart has beside its own. */
export const HELM_LABELS = [
  'app.kubernetes.io/instance',
  'app.kubernetes.io/managed-by',
  'app.kubernetes.io/version',
  'helm.sh/chart',
];

type Node = Record<string, unknown>;

/** Present only in the Helm variant. */
const OF_HELM = [...HELM_LABELS, 'checksum/config'];
/** The namespace is made with the release; Secrets are there before. */
const NOT_COMPARED = ['Namespace', 'Secret'];

/** The order of variables, volumes and containers means nothing here: no variable refers to another. */
function byNames(items: unknown[]): unknown[] {
  const nameIn = (item: unknown): string => (item as { name?: string } | null)?.name ?? '';
  return items.every((item) => nameIn(item) !== '') ? items.toSorted((a, b) => nameIn(a).localeCompare(nameIn(b))) : items;
}

function plain(node: unknown): unknown {
  if (Array.isArray(node)) return byNames(node.map(plain));
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node as Node)
    .filter(([name]) => !OF_HELM.includes(name))
    .map(([name, value]) => [name, plain(value)] as const)
    .filter(([name, value]) => !(['labels', 'annotations'].includes(name) && isDeepStrictEqual(value, {})));
  return Object.fromEntries(entries);
}

/** The hash at the end of a Job's name is of the Job, so it differs from form to form. */
const nameOf = ({ kind, metadata }: Manifest): string =>
  `${kind} ${kind === 'Job' ? metadata.name.replace(/-[0-9a-f]{10}$/, '') : metadata.name}`;

function byName(manifests: readonly Manifest[]): Map<string, unknown> {
  const named = new Map<string, unknown>();
  for (const manifest of manifests) {
    if (NOT_COMPARED.includes(manifest.kind)) continue;
    const name = nameOf(manifest);
    if (named.has(name)) throw new Error(`${name} is there twice`);
    named.set(name, plain({ ...manifest, metadata: { ...manifest.metadata, name } }));
  }
  return named;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Where two objects differ first, and how. */
function firstDifference(ours: unknown, theirs: unknown, at: string): string {
  if (!isNode(ours) || !isNode(theirs)) return ` at ${at}: ${JSON.stringify(ours)} and ${JSON.stringify(theirs)}`;
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
  const key = keys.find((each) => !isDeepStrictEqual(ours[each], theirs[each])) ?? '';
  return firstDifference(ours[key], theirs[key], `${at}/${key}`);
}

/** Differences between two variants, by object. */
export function differences(helm: readonly Manifest[], kustomize: readonly Manifest[]): string[] {
  const [charted, applied] = [byName(helm), byName(kustomize)];
  return [...new Set([...charted.keys(), ...applied.keys()])].flatMap((name) => {
    const [ours, theirs] = [charted.get(name), applied.get(name)];
    if (ours === undefined) return [`${name} is missing in the chart`];
    if (theirs === undefined) return [`${name} is in the chart alone`];
    return isDeepStrictEqual(ours, theirs) ? [] : [`${name} differs${firstDifference(ours, theirs, '')}`];
  });
}
