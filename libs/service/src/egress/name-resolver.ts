import { readFileSync, statSync } from 'node:fs';
import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { FairSemaphore, SingleFlight, tooManyWaitFor } from '@switchyard/concurrency';
import { AppError, upToBytes } from '@switchyard/kernel';
import { LRUCache } from 'lru-cache';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

export interface NameResolverOptions {
  /** `address:port` of nameservers; else those of the machine. */
  servers?: string[];
  hostsFile?: string;
  resolvFile?: string;
  timeoutMs?: number;
  /** Whether short names get the domains of the machine, as names inside a cluster need. */
  searches?: boolean;
}

interface Resolution {
  addresses: ResolvedAddress[];
  /** Error for the caller if there are no addresses. */
  failure: AppError | null;
}

const TIMEOUT_MS = 3000;
/** Lookups at a time. They hold no thread, only a socket. */
const SLOTS = { slots: 256, share: 32, reserve: 32, waitMs: TIMEOUT_MS, waiting: { all: 1024, each: 128 } };
const MAX_CACHED = 5000;
const CACHE_BYTES = 4 * 1024 * 1024;
/** An address; an error with its stack. */
const ADDRESS_BYTES = 100;
const FAILURE_BYTES = 2_000;
/** As the DNS has it. */
export const NAME_MAX = 253;
/** A name that does not exist may be made any moment; nameservers that are silent stay so for a while. */
const UNKNOWN_MS = 5_000;
const SILENT_MS = 30_000;
const FOUND_MS = { least: 1_000, most: 30_000 };
const MAX_ADDRESSES = 16;
/** The library reads the machine's nameservers when it is made. */
const RENEW_MS = 60_000;
const SEARCHED_DOMAINS = 6;
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

const LOOPBACK: ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Resolves names by asking nameservers itself. `getaddrinfo` takes one of four threads of the process for each name,
 * for as long as a nameserver is silent, and files and cryptography of everybody wait for these threads.
 */
export class NameResolver {
  private readonly cache = new LRUCache<string, Resolution>({
    max: MAX_CACHED,
    ...upToBytes<Resolution>(
      CACHE_BYTES,
      ({ addresses, failure }) => addresses.length * ADDRESS_BYTES + (failure ? FAILURE_BYTES : 0),
    ),
  });
  /** Queries under way, by name. */
  private readonly queries = new SingleFlight<Resolution>();
  /** Queries that wait for a slot, by owner and name. */
  private readonly queued = new SingleFlight<Resolution>();
  private readonly slots = new FairSemaphore({ ...SLOTS, refusal: tooManyWaitFor('names to be resolved') });
  private readonly hosts: HostsFile;
  private resolver: dns.Resolver | null = null;
  private madeAt = 0;

  constructor(private readonly options: NameResolverOptions = {}) {
    this.hosts = new HostsFile(options.hostsFile ?? '/etc/hosts');
  }

  get figures(): { used: number; limit: number; waiting: number; refused: number } {
    const { used, slots: limit, waiting, refused } = this.slots;
    return { used, limit, waiting, refused };
  }

  /** Throws if the name does not exist, or the look-up times out. `owner` has the share: the payer of the Space. */
  async resolve(hostname: string, owner: string | null): Promise<ResolvedAddress[]> {
    const name = hostname.replace(/\.$/, '').toLowerCase();
    if (name.length > NAME_MAX) throw unknown();
    if (name === 'localhost' || name.endsWith('.localhost')) return LOOPBACK;
    const listed = this.hosts.find(name);
    if (listed) return listed;
    const { addresses, failure } = this.cache.get(name) ?? (await this.ask(name, hostname.endsWith('.'), owner));
    if (failure) throw failure;
    return addresses;
  }

  /** A query that has begun is shared by all; one that waits is its owner's, for others have places of their own. */
  private ask(name: string, isAbsolute: boolean, owner: string | null): Promise<Resolution> {
    return (
      this.queries.get(name) ??
      this.queued.run(`${owner ?? ''} ${name}`, () =>
        this.slots.run(
          owner,
          async () => this.cache.get(name) ?? (await this.queries.run(name, () => this.fetch(name, isAbsolute))),
        ),
      )
    );
  }

  private async fetch(name: string, isAbsolute: boolean): Promise<Resolution> {
    const resolver = this.current();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, this.options.timeoutMs ?? TIMEOUT_MS, 'late');
    });
    try {
      const names = [name, ...(this.options.searches && !isAbsolute ? this.searched(name) : [])];
      for (const candidate of names) {
        const found = await Promise.race([this.addressesOf(resolver, candidate), late]);
        if (found === 'late') return this.keep(name, SILENT_MS, silent());
        if (found.length === 0) continue;
        const ttl = Math.min(...found.map((entry) => entry.ttl)) * 1000;
        const addresses = found.slice(0, MAX_ADDRESSES).map(({ address, family }) => ({ address, family }));
        return this.keep(name, Math.min(FOUND_MS.most, Math.max(FOUND_MS.least, ttl)), null, addresses);
      }
      return this.keep(name, UNKNOWN_MS, unknown());
    } catch {
      return this.keep(name, SILENT_MS, silent());
    } finally {
      clearTimeout(timer);
    }
  }

  private async addressesOf(
    resolver: dns.Resolver,
    name: string,
  ): Promise<{ address: string; family: 4 | 6; ttl: number }[]> {
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(name, { ttl: true }),
      resolver.resolve6(name, { ttl: true }),
    ]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((entry) => ({ ...entry, family: 4 as const })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((entry) => ({ ...entry, family: 6 as const })) : []),
    ];
    if (found.length > 0) return found;
    const failed = [four, six].find(
      (result) =>
        result.status === 'rejected' && !NO_SUCH_NAME.has((result.reason as NodeJS.ErrnoException).code ?? ''),
    );
    if (failed?.status === 'rejected') throw failed.reason as Error;
    return [];
  }

  private keep(name: string, ttl: number, failure: AppError | null, addresses: ResolvedAddress[] = []): Resolution {
    const answer = { addresses, failure };
    this.cache.set(name, answer, { ttl });
    return answer;
  }

  private current(): dns.Resolver {
    if (this.resolver && Date.now() - this.madeAt < RENEW_MS) return this.resolver;
    const resolver = new dns.Resolver({ timeout: Math.ceil((this.options.timeoutMs ?? TIMEOUT_MS) / 2), tries: 2 });
    if (this.options.servers) resolver.setServers(this.options.servers);
    this.madeAt = Date.now();
    this.resolver = resolver;
    return resolver;
  }

  private searched(name: string): string[] {
    return searchDomains(this.options.resolvFile ?? '/etc/resolv.conf').map((domain) => `${name}.${domain}`);
  }
}

const silent = (): AppError => new AppError('TIMEOUT', 'The name of the address could not be resolved in time.');
const unknown = (): AppError => new AppError('SERVICE_UNAVAILABLE', 'The name of the address does not exist.');

function searchDomains(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    const line = lines.findLast((text) => /^(search|domain)\s/.test(text)) ?? '';
    return line
      .trim()
      .split(/\s+/)
      .slice(1, 1 + SEARCHED_DOMAINS);
  } catch {
    return [];
  }
}

/** The names that the machine's own file lists. It is read again when it has changed, at most once a second. */
class HostsFile {
  private names = new Map<string, ResolvedAddress[]>();
  private changed = -1;
  private looked = -Infinity;

  constructor(private readonly file: string) {}

  find(name: string): ResolvedAddress[] | undefined {
    if (Date.now() - this.looked > 1000) this.reloadIfChanged();
    return this.names.get(name);
  }

  private reloadIfChanged(): void {
    this.looked = Date.now();
    try {
      const { mtimeMs } = statSync(this.file);
      if (mtimeMs === this.changed) return;
      this.names = namesIn(readFileSync(this.file, 'utf8'));
      this.changed = mtimeMs;
    } catch {
      this.names = new Map();
    }
  }
}

function namesIn(text: string): Map<string, ResolvedAddress[]> {
  const names = new Map<string, ResolvedAddress[]>();
  for (const line of text.split('\n')) {
    const [address, ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = address ? isIP(address) : 0;
    if (!address || (family !== 4 && family !== 6)) continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      names.set(name, [...(names.get(name) ?? []), { address, family }]);
    }
  }
  return names;
}
