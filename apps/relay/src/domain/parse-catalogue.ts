import { CAPABILITIES, type Capability } from '@switchyard/contracts';
import { Catalogue, CatalogueModel, ModelRoute, Upstream, UpstreamAuth } from './catalogue';
import { Section } from './catalogue-section';
import { DEFAULT_PATHS, OPEN_PATH } from './allowed-paths';

export class CatalogueError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `The catalogue of models has ${problems.length} problem(s):\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'CatalogueError';
  }
}

export type Environment = (name: string) => string | undefined;

const AUTHS: readonly UpstreamAuth[] = ['bearer', 'api-key', 'none'];
const MINUTE = 60_000;

function parseBaseUrl(section: Section, environment: Environment): string {
  const text = section.text('baseUrl').replace(/\$\{([A-Z][A-Z0-9_]*)\}/g, (_, name: string) => {
    const value = environment(name);
    if (value === undefined || value === '')
      section.problem('baseUrl', `needs the environment variable ${name}, which is not set`);
    return value ?? '';
  });
  try {
    const url = new URL(text.replaceAll('{model}', 'model'));
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      section.problem('baseUrl', 'must begin with http:// or https://');
    if (url.username !== '' || url.password !== '')
      section.problem('baseUrl', 'must not hold a user or a password; use apiKeyEnv');
    if (url.search !== '' || url.hash !== '')
      section.problem('baseUrl', 'must not hold a query or a fragment; use query');
  } catch {
    if (text !== '') section.problem('baseUrl', 'is not a URL');
  }
  return text.replace(/\/+$/, '');
}

function parsePaths(section: Section): string[] {
  const paths = section.list('paths', [...DEFAULT_PATHS]);
  for (const path of paths) {
    if (!OPEN_PATH.test(path))
      section.problem(
        'paths',
        `${JSON.stringify(path)} must be lower-case words with /, or end in /* for one more word`,
      );
  }
  return paths;
}

function parseUpstream(name: string, section: Section, environment: Environment): Upstream {
  const apiKeyEnv = section.optionalText('apiKeyEnv');
  if (apiKeyEnv !== null && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(apiKeyEnv))
    section.problem('apiKeyEnv', 'must be the name of an environment variable, not a key');
  else if (apiKeyEnv !== null && !environment(apiKeyEnv))
    section.problem('apiKeyEnv', `names ${apiKeyEnv}, which is not set`);
  const timeouts = section.section('timeouts');
  const upstream: Upstream = {
    name,
    baseUrl: parseBaseUrl(section, environment),
    auth: section.oneOf('auth', AUTHS, apiKeyEnv === null ? 'none' : 'bearer'),
    apiKeyEnv,
    headers: section.texts('headers'),
    query: section.texts('query'),
    connectMs: timeouts.int('connectMs', { fallback: 5_000, min: 10, max: MINUTE }),
    firstByteMs: timeouts.int('firstByteMs', { fallback: 2 * MINUTE, min: 10, max: 60 * MINUTE }),
    idleMs: timeouts.int('idleMs', { fallback: MINUTE, min: 10, max: 60 * MINUTE }),
    retries: section.int('retries', { fallback: 2, min: 0, max: 5 }),
    fallbacks: section.list('fallbacks'),
    connections: section.int('connections', { fallback: 256, min: 1, max: 4096 }),
    streamUsage: section.bool('streamUsage', true),
    paths: parsePaths(section),
  };
  if (upstream.auth !== 'none' && apiKeyEnv === null) section.problem('auth', 'needs apiKeyEnv');
  timeouts.finish();
  section.finish();
  return upstream;
}

function parseRoutes(section: Section, id: string): ModelRoute[] {
  const one = section.optionalText('upstream');
  const upstreamModel = section.optionalText('upstreamModel') ?? id;
  const routes = section.sections('routes').map((route): ModelRoute => {
    const parsed = {
      upstream: route.text('upstream'),
      upstreamModel: route.optionalText('upstreamModel') ?? upstreamModel,
      weight: route.int('weight', { fallback: 1, min: 0, max: 1000 }),
    };
    route.finish();
    return parsed;
  });
  if (one !== null && routes.length > 0) section.problem('routes', 'cannot stand beside upstream; use one of them');
  if (one !== null) return [{ upstream: one, upstreamModel, weight: 1 }];
  if (routes.length === 0) section.problem('upstream', 'is required (or routes)');
  return routes;
}

function parseModel(section: Section): CatalogueModel {
  const id = section.text('id', /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,199}$/);
  const capabilities = section.list('capabilities', ['chat', 'tools', 'json']);
  for (const capability of capabilities) {
    if (!CAPABILITIES.includes(capability as Capability))
      section.problem('capabilities', `knows no ${capability}; use ${CAPABILITIES.join(', ')}`);
  }
  const embeds = capabilities.includes('embeddings');
  const contextWindow = section.int('contextWindow', { min: 1, max: 100_000_000 });
  const dimensions = section.optionalInt('embeddingDimensions', { min: 1, max: 65_536 });
  if (embeds && dimensions === null) section.problem('embeddingDimensions', 'is required for a model that embeds');
  const model: CatalogueModel = {
    id,
    ownedBy: section.optionalText('ownedBy') ?? 'switchyard',
    routes: parseRoutes(section, id),
    fallbacks: section.list('fallbacks'),
    contextWindow,
    maxOutputTokens: section.int('maxOutputTokens', {
      fallback: embeds ? 0 : Math.min(4096, contextWindow),
      min: 0,
      max: 100_000_000,
    }),
    capabilities: capabilities as Capability[],
    inputPrice: section.price('inputPrice'),
    outputPrice: section.price('outputPrice'),
    embeddingDimensions: dimensions,
  };
  section.finish();
  return model;
}

function checkReferences(catalogue: Catalogue, problems: string[]): void {
  for (const upstream of catalogue.upstreams.values()) {
    for (const name of upstream.fallbacks) {
      if (!catalogue.upstreams.has(name))
        problems.push(`upstreams.${upstream.name}.fallbacks: there is no upstream ${name}`);
    }
  }
  for (const model of catalogue.models.values()) {
    for (const { upstream } of model.routes) {
      if (upstream !== '' && !catalogue.upstreams.has(upstream))
        problems.push(`models.${model.id}: there is no upstream ${upstream}`);
    }
    if (model.routes.length > 0 && model.routes.every((route) => route.weight === 0))
      problems.push(`models.${model.id}.routes: every weight is 0`);
    for (const id of model.fallbacks) {
      if (!catalogue.models.has(id)) problems.push(`models.${model.id}.fallbacks: there is no model ${id}`);
    }
  }
  for (const [name, id] of [
    ['chat', catalogue.defaultChat],
    ['embedding', catalogue.defaultEmbedding],
  ] as const) {
    if (id !== null && !catalogue.models.has(id)) problems.push(`defaults.${name}: there is no model ${id}`);
  }
  if (catalogue.upstreams.size > 0 && !catalogue.upstreams.has(catalogue.defaultUpstream)) {
    problems.push(`defaults.upstream: there is no upstream ${catalogue.defaultUpstream}`);
  }
}

/** Reads a catalogue, or throws a CatalogueError that lists everything that is wrong with it. */
export function parseCatalogue(value: unknown, environment: Environment): Catalogue {
  const problems: string[] = [];
  const root = new Section(value, '', problems);
  const upstreams = new Map<string, Upstream>();
  for (const [name, section] of root.named('upstreams')) upstreams.set(name, parseUpstream(name, section, environment));
  const models = new Map<string, CatalogueModel>();
  for (const section of root.sections('models')) {
    const model = parseModel(section);
    if (models.has(model.id)) problems.push(`models: ${model.id} is there twice`);
    models.set(model.id, model);
  }
  if (upstreams.size === 0) problems.push('upstreams: at least one is required');
  if (models.size === 0) problems.push('models: at least one is required');
  const defaults = root.section('defaults');
  const first = (capability: Capability): string | null =>
    [...models.values()].find((model) => model.capabilities.includes(capability))?.id ?? null;
  const catalogue: Catalogue = {
    upstreams,
    models,
    defaultChat: defaults.optionalText('chat') ?? first('chat'),
    defaultEmbedding: defaults.optionalText('embedding') ?? first('embeddings'),
    defaultUpstream: defaults.optionalText('upstream') ?? [...upstreams.keys()][0] ?? '',
  };
  defaults.finish();
  root.finish();
  checkReferences(catalogue, problems);
  if (problems.length > 0) throw new CatalogueError(problems);
  return catalogue;
}
