import { sleep } from '@switchyard/kernel';
import { type Writable, probeServer } from './probe-server';
import { serverUrls } from './server-urls';

/** How long to wait for further servers once the current primary has answered. */
const OTHERS_WITHIN_MS = 500;
/** As above while the primary is unknown: an old primary may answer first. */
const ALL_WITHIN_MS = 5_000;

/** A connection to one of the servers. */
export interface ServerLine {
  /** Of its server. */
  url: string;
  breakOff(): void;
}

/**
 * The servers of one database, one of which accepts writes. After a failure all are probed at once. If two accept
 * writes, the one promoted last wins (higher timeline); the other is an old primary that was restarted. A process never
 * goes back to a lower timeline, even if the newer server is silent.
 */
export class PrimaryServer {
  readonly urls: readonly string[];
  private chosen: Writable | undefined;
  private isSure = false;
  private failures = 0;
  private finding: Promise<string> | undefined;
  private readonly lines = new Set<ServerLine>();

  constructor(
    url: string,
    private readonly name: string,
    private readonly onChange: (url: string) => void = () => undefined,
    private readonly ask: (url: string, name: string) => Promise<Writable | null> = probeServer,
  ) {
    this.urls = serverUrls(url);
  }

  get areSeveral(): boolean {
    return this.urls.length > 1;
  }

  /** The last known primary. */
  get last(): string {
    return this.chosen?.url ?? this.urls[0] ?? '';
  }

  /** URL to connect to. A single server is not probed. */
  async writable(): Promise<string> {
    if (!this.areSeveral || this.isSure) return this.last;
    this.finding ??= this.find().finally(() => {
      this.finding = undefined;
    });
    return this.finding;
  }

  /** After a broken connection or a refused write, probe all servers before the next connection. */
  noteFailure(): void {
    this.failures += 1;
    this.isSure = false;
  }

  hold(line: ServerLine): void {
    this.lines.add(line);
  }

  letGo(line: ServerLine): void {
    this.lines.delete(line);
  }

  private async find(): Promise<string> {
    const { failures, last } = this;
    const found = await this.askAll();
    const newest = found.reduce<Writable | undefined>((best, each) => {
      if (best === undefined || each.timeline > best.timeline) return each;
      // Two URLs of one server.
      return each.timeline === best.timeline && each.url === last ? each : best;
    }, undefined);
    if (!newest) throw new NoneWrites();
    const isOther = newest.url !== last;
    this.chosen = newest;
    // Probe again if another failure happened meanwhile.
    this.isSure = this.failures === failures;
    // Writes there would be lost, and reads are stale.
    for (const line of [...this.lines]) if (line.url !== newest.url) line.breakOff();
    if (isOther) this.onChange(newest.url);
    return newest.url;
  }

  /** Servers that accept writes, without old primaries. */
  private async askAll(): Promise<Writable[]> {
    const found: Writable[] = [];
    const previous = this.chosen;
    let onData: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (onData = resolve));
    const probes = this.urls.map(async (url) => {
      const answer = await this.ask(url, this.name).catch(() => null);
      if (answer === null || (previous && answer.timeline < previous.timeline)) return;
      found.push(answer);
      if (previous && (answer.url === previous.url || answer.timeline > previous.timeline)) onData();
    });
    const late = new AbortController();
    const enough = first.then(() => sleep(OTHERS_WITHIN_MS, late.signal));
    await Promise.race([Promise.all(probes), enough, sleep(ALL_WITHIN_MS, late.signal)]);
    late.abort();
    return found;
  }
}

/** Uses the SQLSTATE of a starting server. */
class NoneWrites extends Error {
  readonly code = '57P03';

  constructor() {
    super('no server of the database can be reached that takes writes');
  }
}
