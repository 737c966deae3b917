import type { Capability } from '@switchyard/contracts';

export type UpstreamAuth = 'bearer' | 'api-key' | 'none';

/** A server that speaks the OpenAI wire format. Its key is known by the name of its environment variable only. */
export interface Upstream {
  name: string;
  /** May hold `{model}`, which becomes the upstream's own name of the model. */
  baseUrl: string;
  auth: UpstreamAuth;
  apiKeyEnv: string | null;
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  connectMs: number;
  firstByteMs: number;
  idleMs: number;
  /** Tries after the first one, before the first byte, at this upstream. */
  retries: number;
  /** Upstreams that are asked for the same model when this one fails. */
  fallbacks: readonly string[];
  connections: number;
  /** Understands `stream_options.include_usage`. */
  streamUsage: boolean;
  /** The paths that callers of the relay may reach here: literal ones, or `name/*` for one more word. */
  paths: readonly string[];
}

export interface ModelRoute {
  upstream: string;
  upstreamModel: string;
  weight: number;
}

export interface CatalogueModel {
  id: string;
  ownedBy: string;
  routes: readonly ModelRoute[];
  /** Models that are asked when every route of this one fails. */
  fallbacks: readonly string[];
  contextWindow: number;
  maxOutputTokens: number;
  capabilities: readonly Capability[];
  /** Prices of a million tokens. */
  inputPrice: number;
  outputPrice: number;
  embeddingDimensions: number | null;
}

export interface Catalogue {
  upstreams: ReadonlyMap<string, Upstream>;
  models: ReadonlyMap<string, CatalogueModel>;
  defaultChat: string | null;
  defaultEmbedding: string | null;
  /** Where paths go that name no model of the catalogue. */
  defaultUpstream: string;
}

/** One thing to try: a model by one of its routes. */
export interface Candidate {
  model: CatalogueModel;
  upstream: Upstream;
  upstreamModel: string;
}
