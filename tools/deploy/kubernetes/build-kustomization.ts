import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { JsonPatch } from './kustomizations';
import type { Manifest } from './manifest';

/* The part of Kustomize that our overlays use, so that a machine without kubectl can check what they come to. */

interface WrittenPatch {
  target?: { kind: string; name?: string };
  patch: string;
}

interface Written {
  kind: string;
  namespace?: string;
  resources?: string[];
  components?: string[];
  images?: { name: string; newName?: string; newTag?: string }[];
  configMapGenerator?: { name: string; behavior?: string; literals?: string[] }[];
  secretGenerator?: { name: string; envs?: string[]; files?: string[] }[];
  patches?: WrittenPatch[];
}

const CLUSTER_WIDE = new Set(['Namespace']);
type Node = Record<string, unknown>;

const documentsIn = (file: string): Manifest[] =>
  parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors.join('; ')}`);
    return document.toJS() as Manifest;
  });

const stepsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** RFC 6902, as strict as Kustomize: what is replaced or removed must be there. */
function applyOperation(manifest: Manifest, { op, path, value }: JsonPatch): void {
  const steps = stepsOf(path);
  const last = steps.pop() ?? '';
  let node = manifest as unknown as Node;
  for (const step of steps) {
    const next = node[step];
    if (typeof next !== 'object' || next === null) throw new Error(`${manifest.kind} has no ${path}`);
    node = next as Node;
  }
  if (op !== 'add' && !(last in node)) throw new Error(`${manifest.kind} ${manifest.metadata.name} has no ${path}`);
  if (op === 'remove' && Array.isArray(node)) node.splice(Number(last), 1);
  else if (op === 'remove') Reflect.deleteProperty(node, last);
  else if (Array.isArray(node) && op === 'add') node.splice(last === '-' ? node.length : Number(last), 0, value);
  else node[last] = value;
}

const nameOf = ({ kind, name = '' }: { kind: string; name?: string }): string => `${kind} ${name}`;

/** Kustomize passes over a patch with a target that is not there. Here it is a mistake, unless a component has deleted it. */
function applyPatch(manifests: Manifest[], { target, patch }: WrittenPatch, deleted: Set<string>): Manifest[] {
  const body = parse(patch) as JsonPatch[] | (Manifest & { $patch?: string });
  const requested = Array.isArray(body) ? target : { kind: body.kind, name: body.metadata.name };
  const hit = manifests.filter(
    ({ kind, metadata }) => kind === requested?.kind && (requested.name === undefined || requested.name === metadata.name),
  );
  if (hit.length === 0 && target && deleted.has(nameOf(target))) return manifests;
  if (hit.length === 0) throw new Error(`a patch finds no ${requested ? nameOf(requested) : 'object'}`);
  if (!Array.isArray(body)) {
    if (body.$patch !== 'delete') throw new Error('of partial manifests only $patch: delete is known here');
    for (const { kind, metadata } of hit) deleted.add(nameOf({ kind, name: metadata.name }));
    return manifests.filter((manifest) => !hit.includes(manifest));
  }
  for (const manifest of hit) for (const operation of body) applyOperation(manifest, operation);
  return manifests;
}

const imagesIn = (node: unknown, change: (image: string) => string): void => {
  if (Array.isArray(node)) for (const item of node) imagesIn(item, change);
  else if (typeof node === 'object' && node !== null)
    for (const [name, value] of Object.entries(node as Node)) {
      if (name === 'image' && typeof value === 'string') (node as Node)[name] = change(value);
      else imagesIn(value, change);
    }
};

function generated(folder: string, secrets: Written['secretGenerator']): Manifest[] {
  return (secrets ?? []).map(({ name, envs = [], files = [] }) => {
    const lines = envs.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean));
    const contents = files.map((file) => {
      const [key = '', path = key] = file.split('=');
      return [key, readFileSync(join(folder, path), 'utf8')] as const;
    });
    const data = { ...pairsOf(lines), ...Object.fromEntries(contents) };
    return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: data } as Manifest;
  });
}

const pairsOf = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));

/** Makes ConfigMaps, or adds to those that were made. The hash behind their names is left to Kustomize. */
function generateConfigMaps(manifests: Manifest[], generators: Written['configMapGenerator']): void {
  for (const { name, behavior, literals = [] } of generators ?? []) {
    const made = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name) as
      | (Manifest & { data: Record<string, string> })
      | undefined;
    if ((behavior === 'merge') !== (made !== undefined)) throw new Error(`${name}: a ConfigMap is made once, then merged`);
    if (made) made.data = { ...made.data, ...pairsOf(literals) };
    else manifests.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: pairsOf(literals) } as Manifest);
  }
}

function build(folder: string, before: Manifest[], deleted: Set<string>): Manifest[] {
  const written = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as Written;
  let manifests = [...before];
  for (const resource of written.resources ?? []) {
    const path = join(folder, resource);
    if (!existsSync(path)) throw new Error(`${folder} names ${resource}, which is not there`);
    manifests.push(...(resource.endsWith('.yaml') ? documentsIn(path) : build(path, [], deleted)));
  }
  generateConfigMaps(manifests, written.configMapGenerator);
  manifests.push(...generated(folder, written.secretGenerator));
  for (const each of written.components ?? []) manifests = build(join(folder, each), manifests, deleted);
  for (const patch of written.patches ?? []) manifests = applyPatch(manifests, patch, deleted);
  for (const { name, newName, newTag } of written.images ?? [])
    imagesIn(manifests, (image) => (image === name ? `${newName ?? name}${newTag ? `:${newTag}` : ''}` : image));
  if (written.namespace !== undefined)
    for (const manifest of manifests)
      if (!CLUSTER_WIDE.has(manifest.kind)) manifest.metadata = { ...manifest.metadata, namespace: written.namespace };
  return manifests;
}

/** The manifests that `kubectl apply -k <folder>` would send. */
export function buildKustomization(folder: string): Manifest[] {
  const manifests = build(folder, [], new Set());
  const names = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`${dirname(folder)} makes twice: ${twice.join(', ')}`);
  return manifests;
}
