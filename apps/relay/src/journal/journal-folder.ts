import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, readdir, rm } from 'node:fs/promises';
import { type Server, connect, createServer } from 'node:net';
import path from 'node:path';
import { type JournalSegmentContent, parseSegment } from './journal-records';

const SEGMENT = /^([0-9a-f-]{36})-\d+\.journal$/;
const LOCK = '.lock';

export interface LeftSegment extends JournalSegmentContent {
  path: string;
  /** The process that wrote it. */
  holder: string;
}

/**
 * The folder of a journal. One process uses it at a time: it listens at a socket in the folder, which the system closes
 * when the process ends, however it ends. Each socket has a name of its own, so a socket that does not answer can be
 * removed without the danger of removing another one's.
 */
export class JournalFolder {
  private server: Server | null = null;
  private handle: FileHandle | null = null;

  constructor(
    readonly path: string,
    private readonly holder: string,
  ) {}

  get isLocked(): boolean {
    return this.server !== null;
  }

  /** False if another process uses the folder. Two that try at the same time may both fail, and try again. */
  async lock(): Promise<boolean> {
    if (this.server) return true;
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    this.handle ??= await open(this.path, 'r');
    const own = `${this.holder.slice(-12)}${LOCK}`;
    this.server = await listen(this.socketPath(own));
    const others = (await readdir(this.path)).filter((name) => name.endsWith(LOCK) && name !== own);
    const answering = await Promise.all(others.map((name) => this.answers(name)));
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

  /** Segments of other processes; those that cannot be read are passed to `onUnreadable`. */
  async leftSegments(onUnreadable: (holder: string, error: unknown) => void): Promise<LeftSegment[]> {
    const left: LeftSegment[] = [];
    for (const name of (await readdir(this.path)).toSorted()) {
      const holder = SEGMENT.exec(name)?.[1];
      if (holder === undefined || holder === this.holder) continue;
      const file = path.join(this.path, name);
      try {
        left.push({ path: file, holder, ...parseSegment(await readFile(file)) });
      } catch (error) {
        onUnreadable(holder, error);
      }
    }
    return left;
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

  private async answers(name: string): Promise<boolean> {
    const state = await knock(this.socketPath(name));
    if (state === 'closed') await rm(path.join(this.path, name), { force: true });
    return state === 'answers';
  }

  /** The path of a socket may have about a hundred bytes only; by the open folder it is short. */
  private socketPath(name: string): string {
    const short = `/proc/self/fd/${this.handle?.fd ?? ''}`;
    return path.join(existsSync(short) ? short : this.path, name);
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

/** Only a refused connection tells that the process is gone. */
function knock(socket: string): Promise<'answers' | 'closed'> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.once('connect', () => {
      connection.destroy();
      resolve('answers');
    });
    connection.once('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(code === 'ECONNREFUSED' || code === 'ENOENT' ? 'closed' : 'answers');
    });
  });
}
