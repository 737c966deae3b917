import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, readdir, rm, stat } from 'node:fs/promises';
import { type Server, connect, createServer } from 'node:net';
import path from 'node:path';
import { type JournalSegmentContent, parseSegment } from './journal-records';

const SEGMENT = /^([0-9a-f-]{36})-\d+\.journal$/;
const LOCK = '.lock';

export interface FoundSegment extends JournalSegmentContent {
  path: string;
}

export interface EndedProcess {
  holder: string;
  segments: FoundSegment[];
}

/**
 * The folder of a journal. One process uses it at a time: it listens at a socket in the folder, which the system closes
 * when the process ends, however it ends. Each process has a socket of its own, so none removes that of another by
 * mistake.
 */
export class JournalFolder {
  private server: Server | null = null;
  private handle: FileHandle | null = null;

  constructor(
    readonly path: string,
    private readonly holder: string,
  ) {}

  /** False if another process uses the folder. Two that try at the same time may both fail, and try again. */
  async lock(): Promise<boolean> {
    if (this.server) return true;
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    this.handle ??= await open(this.path, 'r');
    this.server = await listen(this.socketPath(this.holder));
    const answering = await Promise.all((await this.otherLocks()).map((holder) => answers(this.socketPath(holder))));
    if (!answering.includes(true)) return true;
    await this.unlock();
    return false;
  }

  async unlock(): Promise<void> {
    const { server, handle } = this;
    this.server = null;
    this.handle = null;
    if (server) await new Promise((resolve) => server.close(resolve));
    await handle?.close();
  }

  /** Whether the folder is still the one that is locked. */
  async isIntact(): Promise<boolean> {
    return this.server !== null && (await stat(this.lockOf(this.holder)).then(Boolean, () => false));
  }

  /** Files of ended processes: while the folder is locked, those are all others. */
  async findEnded(onUnreadable: (holder: string, error: unknown) => void): Promise<EndedProcess[]> {
    const processes = new Map<string, EndedProcess>();
    const of = (holder: string): EndedProcess => {
      const ended = processes.get(holder) ?? { holder, segments: [] };
      processes.set(holder, ended);
      return ended;
    };
    for (const holder of await this.otherLocks()) of(holder);
    const unreadable = new Set<string>();
    for (const name of (await readdir(this.path)).toSorted()) {
      const holder = SEGMENT.exec(name)?.[1];
      if (holder === undefined || holder === this.holder) continue;
      const file = path.join(this.path, name);
      try {
        of(holder).segments.push({ path: file, ...parseSegment(await readFile(file)) });
      } catch (error) {
        unreadable.add(holder);
        onUnreadable(holder, error);
      }
    }
    return [...processes.values()].filter(({ holder }) => !unreadable.has(holder));
  }

  async remove({ holder, segments }: EndedProcess): Promise<void> {
    for (const segment of segments) await rm(segment.path, { force: true });
    await rm(this.lockOf(holder), { force: true });
  }

  /** Keeps what cannot be booked in a file that nothing removes. */
  async setAside(holder: string, lines: readonly string[]): Promise<void> {
    const file = await open(path.join(this.path, `${holder}.set-aside`), 'a', 0o600);
    try {
      await file.write(lines.map((line) => `${line}\n`).join(''));
      await file.sync();
    } finally {
      await file.close();
    }
  }

  private async otherLocks(): Promise<string[]> {
    const names = (await readdir(this.path)).filter((name) => name.endsWith(LOCK));
    return names.map((name) => path.basename(name, LOCK)).filter((holder) => holder !== this.holder);
  }

  private lockOf(holder: string): string {
    return path.join(this.path, `${holder}${LOCK}`);
  }

  /** The path of a socket may have about a hundred bytes only; by the open folder it is short. */
  private socketPath(holder: string): string {
    const short = `/proc/self/fd/${this.handle?.fd ?? ''}`;
    return existsSync(short) ? path.join(short, `${holder}${LOCK}`) : this.lockOf(holder);
  }
}

function listen(socket: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => {
      connection.destroy();
    });
    server.unref();
    server.once('error', reject);
    server.listen(socket, () => {
      resolve(server);
    });
  });
}

/** Only a refused connection means that the process has ended. */
function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT');
    });
  });
}
