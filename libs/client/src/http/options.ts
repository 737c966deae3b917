/** A token or API key, or a function that gives a fresh one for each request. */
export type Credential = string | (() => string | Promise<string>);

export interface ClientOptions {
  /** The service host, for instance `http://127.0.0.1:3000`; `/api` is added. */
  baseUrl: string;
  credential: Credential;
  /** Another fetch, for instance one with a proxy. */
  fetch?: typeof fetch;
  /** How long a request that is not a stream may take. 60 s unless given. */
  timeoutMs?: number;
  /** How often a request that may be repeated is tried in all. 3 unless given. */
  attempts?: number;
  /** How long a stream tries to re-attach before it gives up. 60 s unless given. */
  reattachMs?: number;
  /** Silence on a stream after which its connection is given up and opened anew. 45 s unless given. */
  silenceMs?: number;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** Makes a create safe to repeat. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

type QueryValue = string | number | boolean;
/** A list is a parameter that is repeated. */
export type Query = Record<string, QueryValue | readonly QueryValue[] | undefined>;
