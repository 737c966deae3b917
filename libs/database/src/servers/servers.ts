import { sleep } from '@switchyard/kernel';
import { type Writable, askServer } from './ask-server';
import { serverUrls } from './server-urls';

/** How long others are waited for once one that takes writes has answered: a server that is gone says nothing at all. */
const OTHERS_WITHIN_MS = 500;

/** A connection to one of the servers. */
export interface ServerLine {
  /** Of the server that it leads to. */
  url: string;
  breakOff(): void;
}

/**
 * The servers of one database, of which one takes writes. Which one is asked of all at once, when nobody knows it any
 * more; between two who both say so, the one that was promoted later is right: the other is a primary of before that
 * somebody has started again.
 */
export class Servers {
  readonly urls: readonly string[];
  private chosen: string | undefined;
  private isSure = false;
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
    return this.chosen ?? this.urls[0] ?? '';
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
    this.isSure = false;
  }

  hold(line: ServerLine): void {
    this.lines.add(line);
  }

  letGo(line: ServerLine): void {
    this.lines.delete(line);
  }

  private async find(): Promise<string> {
    const found = await this.askAll();
    const [newest] = found.sort((a, b) => (a.timeline < b.timeline ? 1 : -1));
    if (!newest) throw new NoneWrites();
    const isOther = newest.url !== this.last;
    this.chosen = newest.url;
    this.isSure = true;
    // What was begun there would be lost, or is read from a past.
    for (const line of [...this.lines]) if (line.url !== newest.url) line.breakOff();
    if (isOther) this.onChange(newest.url);
    return newest.url;
  }

  private async askAll(): Promise<Writable[]> {
    const found: Writable[] = [];
    let hear: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (hear = resolve));
    const asked = this.urls.map(async (url) => {
      const answer = await this.ask(url, this.name).catch(() => null);
      if (answer === null) return;
      found.push(answer);
      hear();
    });
    await Promise.race([Promise.all(asked), first.then(() => sleep(OTHERS_WITHIN_MS))]);
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
