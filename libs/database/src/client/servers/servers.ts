import { sleep } from '@switchyard/kernel';
import { type Writable, askServer } from './ask-server';
import { serverUrls } from './server-urls';

/** How long others are waited for once the right one has answered: a server that is gone says nothing at all. */
const OTHERS_WITHIN_MS = 500;
/** The same where nobody knows yet which one is right: an old primary may be the first to answer. */
const ALL_WITHIN_MS = 5_000;

/** A connection to one of the servers. */
export interface ServerLine {
  /** Of the server that it leads to. */
  url: string;
  breakOff(): void;
}

/**
 * The servers of one database, of which one takes writes. Which one is asked of all at once, when nobody knows it any
 * more; between two who both say so, the one that was promoted later is right: the other is a primary of before that
 * somebody has started again. A process that has seen the later one does not go back, even where that one is silent.
 */
export class Servers {
  readonly urls: readonly string[];
  private chosen: Writable | undefined;
  private isSure = false;
  private doubts = 0;
  private finding: Promise<string> | undefined;
  private readonly lines = new Set<ServerLine>();

  constructor(
    url: string,
    private readonly name: string,
    private readonly onChange: (url: string) => void = () => undefined,
    private readonly ask: (url: string, name: string) => Promise<Writable | null> = askServer,
  ) {
    this.urls = serverUrls(url);
  }

  get areSeveral(): boolean {
    return this.urls.length > 1;
  }

  /** The one that was found last, be it in doubt. */
  get last(): string {
    return this.chosen?.url ?? this.urls[0] ?? '';
  }

  /** Where to connect to. Of one server nothing is asked. */
  async writable(): Promise<string> {
    if (!this.areSeveral || this.isSure) return this.last;
    this.finding ??= this.find().finally(() => {
      this.finding = undefined;
    });
    return this.finding;
  }

  /** A line broke, or a server did not take a write: all are asked before the next connection is made. */
  doubt(): void {
    this.doubts += 1;
    this.isSure = false;
  }

  hold(line: ServerLine): void {
    this.lines.add(line);
  }

  letGo(line: ServerLine): void {
    this.lines.delete(line);
  }

  private async find(): Promise<string> {
    const { doubts, last } = this;
    const found = await this.askAll();
    const newest = found.reduce<Writable | undefined>((best, each) => {
      if (best === undefined || each.timeline > best.timeline) return each;
      // Two addresses of one server.
      return each.timeline === best.timeline && each.url === last ? each : best;
    }, undefined);
    if (!newest) throw new NoneWrites();
    const isOther = newest.url !== last;
    this.chosen = newest;
    // What broke while they were asked is asked after again.
    this.isSure = this.doubts === doubts;
    // What was begun there would be lost, or is read from a past.
    for (const line of [...this.lines]) if (line.url !== newest.url) line.breakOff();
    if (isOther) this.onChange(newest.url);
    return newest.url;
  }

  /** Those that take writes, without primaries of before. */
  private async askAll(): Promise<Writable[]> {
    const found: Writable[] = [];
    const known = this.chosen;
    let hear: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (hear = resolve));
    const asked = this.urls.map(async (url) => {
      const answer = await this.ask(url, this.name).catch(() => null);
      if (answer === null || (known && answer.timeline < known.timeline)) return;
      found.push(answer);
      if (known && (answer.url === known.url || answer.timeline > known.timeline)) hear();
    });
    const late = new AbortController();
    const enough = first.then(() => sleep(OTHERS_WITHIN_MS, late.signal));
    await Promise.race([Promise.all(asked), enough, sleep(ALL_WITHIN_MS, late.signal)]);
    late.abort();
    return found;
  }
}

/** As a server says it that is starting. */
class NoneWrites extends Error {
  readonly code = '57P03';

  constructor() {
    super('no server of the database can be reached that takes writes');
  }
}
