import { AppError } from '@switchyard/kernel';
import { Candidate, Catalogue, CatalogueModel, ModelRoute } from './catalogue';
import { closedPath, opensPath } from './allowed-paths';

export function getModel(catalogue: Catalogue, id: string): CatalogueModel {
  const model = catalogue.models.get(id);
  if (!model) throw unknownModel(id);
  return model;
}

/** The model, or the first of these fallbacks that is in the catalogue: one that was removed does not fail the call. */
export function firstOffered(catalogue: Catalogue, id: string, fallbacks: readonly string[] = []): CatalogueModel {
  const offered = [id, ...fallbacks].find((modelId) => catalogue.models.has(modelId));
  return getModel(catalogue, offered ?? id);
}

/** Also of a model that the caller's key may not call. */
export const unknownModel = (id: string): AppError =>
  new AppError(
    'NOT_FOUND',
    `There is no model ${JSON.stringify(id.slice(0, 200))}. GET /models/v1/models lists what there is.`,
  );

/** Those whose upstream opens this path to callers, or NOT_FOUND. Mostly all of them do. */
export function openAt(candidates: readonly Candidate[], path: string): readonly Candidate[] {
  const isOpen = ({ upstream }: Candidate): boolean => opensPath(upstream.paths, path);
  if (candidates.every(isOpen)) return candidates;
  const open = candidates.filter(isOpen);
  if (open.length === 0) throw closedPath();
  return open;
}

/** Routes in the order to try them: drawn by weight, those of weight 0 last. */
function drawOrder(routes: readonly ModelRoute[], random: () => number): ModelRoute[] {
  const rest = routes.filter((route) => route.weight > 0);
  const order: ModelRoute[] = [];
  while (rest.length > 0) {
    let at = random() * rest.reduce((sum, route) => sum + route.weight, 0);
    let index = rest.findIndex((route) => (at -= route.weight) < 0);
    if (index < 0) index = rest.length - 1;
    order.push(...rest.splice(index, 1));
  }
  return [...order, ...routes.filter((route) => route.weight === 0)];
}

/** Of models whose routes are not drawn: they are the same for each call. */
const settled = new WeakMap<Catalogue, Map<string, readonly Candidate[]>>();

const isDrawn = ({ routes }: CatalogueModel): boolean => routes.filter(({ weight }) => weight > 0).length > 1;

/**
 * Everything that may answer a call for these models, best first, each upstream and model once. Models that are not in
 * the catalogue are left out, or refused if there is no other.
 */
export function candidatesFor(
  catalogue: Catalogue,
  id: string,
  extraFallbacks: readonly string[] = [],
  random: () => number = Math.random,
): readonly Candidate[] {
  if (extraFallbacks.length > 0) return draw(catalogue, id, extraFallbacks, random);
  const cached = settled.get(catalogue) ?? new Map<string, readonly Candidate[]>();
  const same = cached.get(id);
  if (same) return same;
  const found = draw(catalogue, id, [], random);
  if (!found.some(({ model }) => isDrawn(model))) settled.set(catalogue, cached.set(id, found));
  return found;
}

function draw(catalogue: Catalogue, id: string, extraFallbacks: readonly string[], random: () => number): Candidate[] {
  const found = new Map<string, Candidate>();
  const add = (model: CatalogueModel, upstreamName: string, upstreamModel: string): void => {
    const upstream = catalogue.upstreams.get(upstreamName);
    const key = `${upstreamName}\n${upstreamModel}\n${model.id}`;
    if (upstream && !found.has(key)) found.set(key, { model, upstream, upstreamModel });
  };
  const first = firstOffered(catalogue, id, extraFallbacks);
  for (const modelId of new Set([id, ...extraFallbacks, ...first.fallbacks])) {
    const model = catalogue.models.get(modelId);
    if (!model) continue;
    const routes = drawOrder(model.routes, random);
    for (const route of routes) add(model, route.upstream, route.upstreamModel);
    for (const route of routes) {
      for (const name of catalogue.upstreams.get(route.upstream)?.fallbacks ?? [])
        add(model, name, route.upstreamModel);
    }
  }
  return [...found.values()];
}
