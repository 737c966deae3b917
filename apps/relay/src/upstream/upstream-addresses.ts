import type { Upstream } from '../domain/catalogue';

export interface UpstreamAddress {
  /** The path in front of that of a call, without a slash at its end. */
  base: string;
  /** The query that each call has, without its question mark. */
  fixed: string;
}

function addressOf({ baseUrl, query }: Upstream, upstreamModel: string): UpstreamAddress {
  const { pathname } = new URL(baseUrl.replaceAll('{model}', encodeURIComponent(upstreamModel)));
  return { base: pathname.replace(/\/+$/, ''), fixed: new URLSearchParams(query).toString() };
}

/** Where calls go: read once of each upstream, unless its address names the model, of which there may be any number. */
export class UpstreamAddresses {
  private readonly cache = new WeakMap<Upstream, UpstreamAddress>();

  of(upstream: Upstream, upstreamModel: string): UpstreamAddress {
    const cached = this.cache.get(upstream);
    if (cached) return cached;
    const address = addressOf(upstream, upstreamModel);
    if (!upstream.baseUrl.includes('{model}')) this.cache.set(upstream, address);
    return address;
  }
}
