import { AppError } from '@switchyard/kernel';
import type { Dispatcher } from 'undici';
import type { PayerCache } from '../known/payer-cache';
import type { Metrics } from '../metrics';
import { PausableTimeout } from './pausable-timeout';
import { EgressPolicy } from './egress-policy';
import { loadUndici } from './load-undici';
import { NameResolver } from './name-resolver';
import { PayerDispatchers } from './payer-dispatchers';

export interface EgressRequest {
  /** Whose call it is: connections and lookups of names are shared between payers. */
  spaceId: string;
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal?: AbortSignal;
  /** For everything together, redirects included. */
  timeoutMs?: number;
  maxBytes?: number;
  /** Connections of their own, by this name: calls that are never answered do not use up those of others of the payer. */
  pool?: string;
  /** The answer's body is dropped: the response is there with its status. */
  statusOnly?: boolean;
  /** Waited for once, before more than so many bytes of the answer are read. The time limit stands still meanwhile. */
  beforeLarge?: { bytes: number; admit: () => Promise<void> };
  /** How many redirects to follow; each target is checked like the first. */
  redirects?: number;
  /** Called before a redirect to another origin is followed; the AppError that it throws ends the request. */
  onOtherOrigin?: (next: URL) => void;
}

export interface EgressResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  url: string;
}

const DEFAULTS = { timeoutMs: 10_000, maxBytes: 2 * 1024 * 1024, redirects: 3 };
/** Of an answer that is dropped. A short one is read, so that its connection can be used again. */
const DROPPED = { bytes: 4096, ms: 1_000 };
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Headers that stay on the way to the same origin only. Everything a user set may be a secret. */
const HARMLESS = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

interface EgressSettings {
  SWITCHYARD_ALLOW_PRIVATE_EGRESS?: string | undefined;
  SWITCHYARD_EGRESS_PORTS?: string | undefined;
}

/** The one door for calls to addresses that users gave. */
export class Egress {
  private readonly dispatchers: PayerDispatchers;

  constructor(
    readonly policy: EgressPolicy,
    names = new NameResolver({ searches: policy.hasExceptions }),
    payerOf: (spaceId: string) => string = (spaceId) => spaceId,
  ) {
    this.dispatchers = new PayerDispatchers(policy, names, payerOf);
  }

  /** As the operator has configured it. */
  static configured(settings: EgressSettings, metrics: Metrics, payerCache: PayerCache): Egress {
    const policy = EgressPolicy.fromText(settings.SWITCHYARD_ALLOW_PRIVATE_EGRESS, settings.SWITCHYARD_EGRESS_PORTS);
    const names = new NameResolver({ searches: policy.hasExceptions });
    metrics.bounded(
      {
        name: 'switchyard_egress_lookups',
        help: 'DNS lookups for outgoing calls that are in progress.',
        measures: ['used', 'limit', 'waiting', 'refused'],
      },
      (set) => set(names.figures),
    );
    return new Egress(policy, names, payerCache.of);
  }

  /** The Spaces of a payer have connections of their own. */
  dispatcherOf(spaceId: string): Dispatcher {
    return this.dispatchers.of(spaceId);
  }

  /** Throws VALIDATION_ERROR for a refused address, TIMEOUT, or SERVICE_UNAVAILABLE without a response. */
  async request(call: EgressRequest): Promise<EgressResponse> {
    const pausableTimeout = new PausableTimeout(call.timeoutMs ?? DEFAULTS.timeoutMs);
    const signal = call.signal ? AbortSignal.any([call.signal, pausableTimeout.signal]) : pausableTimeout.signal;
    try {
      return await this.follow(call, signal, pausableTimeout);
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (pausableTimeout.signal.aborted)
        throw new AppError('TIMEOUT', 'The address did not answer in time.', { cause: error });
      if (call.signal?.aborted) throw error;
      throw new AppError('SERVICE_UNAVAILABLE', 'The address could not be reached.', { cause: error });
    } finally {
      pausableTimeout.stop();
    }
  }

  async close(): Promise<void> {
    await this.dispatchers.close();
  }

  private async follow(
    call: EgressRequest,
    signal: AbortSignal,
    pausableTimeout: PausableTimeout,
  ): Promise<EgressResponse> {
    let url = this.policy.checkUrl(call.url);
    let method = (call.method ?? 'GET').toUpperCase();
    let headers = lowerCased(call.headers ?? {});
    let body = call.body;
    const { request } = loadUndici();
    const dispatcher = this.dispatchers.of(call.spaceId, call.pool);
    for (let hops = 0; ; hops += 1) {
      const response = await request(url, { method, headers, body, signal, dispatcher });
      const location = response.headers['location'];
      if (
        !REDIRECTS.has(response.statusCode) ||
        typeof location !== 'string' ||
        (call.redirects ?? DEFAULTS.redirects) === 0
      ) {
        if (call.statusOnly) return await dropped(response, url);
        return await read(response, url, call, pausableTimeout);
      }
      await response.body.dump({ limit: 16_384 }).catch(() => undefined);
      if (hops >= (call.redirects ?? DEFAULTS.redirects)) {
        throw new AppError('SERVICE_UNAVAILABLE', 'The address redirects too often.');
      }
      const target = new URL(location, url);
      // First: a refusal of the policy may name the other host.
      if (target.origin !== url.origin) call.onOtherOrigin?.(target);
      const next = this.policy.checkUrl(target);
      if (next.origin !== url.origin)
        headers = Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name)));
      if (response.statusCode === 303 || (method === 'POST' && response.statusCode < 303)) {
        method = method === 'HEAD' ? 'HEAD' : 'GET';
        body = undefined;
      }
      url = next;
    }
  }
}

const lowerCased = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !['host', 'content-length', 'connection', 'transfer-encoding'].includes(name)),
  );

async function read(
  response: Dispatcher.ResponseData,
  url: URL,
  { maxBytes = DEFAULTS.maxBytes, beforeLarge }: EgressRequest,
  pausableTimeout: PausableTimeout,
): Promise<EgressResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isAdmitted = beforeLarge === undefined;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      response.body.destroy();
      throw new AppError('SERVICE_UNAVAILABLE', `The address answered with more than ${maxBytes} bytes.`);
    }
    if (!isAdmitted && beforeLarge !== undefined && size > beforeLarge.bytes) {
      isAdmitted = true;
      // Nothing is read meanwhile, so the sender waits.
      await pausableTimeout.without(beforeLarge.admit);
    }
    chunks.push(chunk);
  }
  return answered(response, url, Buffer.concat(chunks));
}

/** If the body is long, slow or cut off, its connection is closed; the status counts all the same. */
async function dropped(response: Dispatcher.ResponseData, url: URL): Promise<EgressResponse> {
  const late = AbortSignal.timeout(DROPPED.ms);
  await response.body.dump({ limit: DROPPED.bytes, signal: late }).catch(() => response.body.destroy());
  return answered(response, url, Buffer.alloc(0));
}

function answered(response: Dispatcher.ResponseData, url: URL, body: Buffer): EgressResponse {
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
  return { status: response.statusCode, headers, body, url: url.href };
}
