import { type FileHandle, mkdir, open, readFile, readdir, rm, stat } from 'node:fs/promises';
import { type Server, connect, createServer } from 'node:net';
import path from 'node:path';
import { DiskLimit } from './disk-limit';
import { type JournalSegmentContent, parseSegment } from './journal-records';
import { syncFolder } from './sync-folder';

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const SEGMENT = new RegExp(`^(${ID})-\\d+(?:-(${ID}))?\\.journal$`, 'u');
const LOCK = '.lock';
/** A file that is written and removed, to see whether the disk answers. */
const PROBE = 'probe';
const LOCK_FILE = new RegExp(`^(${ID})\\.lock$`, 'u');
/** For one operation, or to read one file: longer than a slow disk takes. */
const DISK_LIMIT_MS = 10_000;
/** For an operation while a relay runs or stops. */
const SHORT_LIMIT_MS = 1_000;

export interface FoundSegment extends JournalSegmentContent {
  path: string;
  /** The identity of the database that it was written for; null if it was written before names had one. */
  database: string | null;
}

export interface EndedProcess {
  holder: string;
  segments: FoundSegment[];
}

/**
 * The folder of a journal. One process uses it at a time: it listens at a socket in the folder, which the system closes
 * when the process ends, however it ends. Each process has a socket of its own, so none removes that of another by
 * mistake.
 *
 * The system creates, removes and connects sockets in the thread of the event loop, which a hanging disk would stop: so
 * only right after the disk has answered.
 */
export class JournalFolder {
  private server: Server | null = null;
  /** Only when no other process uses the folder: on a slow disk, the socket listens for a while before that is known. */
  private isLocked = false;
  private handle: FileHandle | null = null;
  /** By which sockets are reached: their path may have about a hundred bytes only, and by the open folder it is short. */
  private socketFolder = '';
  private readonly disk: DiskLimit;

  constructor(
    readonly path: string,
    private readonly holder: string,
    limitMs = DISK_LIMIT_MS,
  ) {
    this.disk = new DiskLimit(limitMs);
  }

  /** False if another process uses the folder. Two that try at the same time may both fail, and try again. */
  async lock(): Promise<boolean> {
    return this.isLocked || this.disk.run(() => this.takeLock());
  }

  async unlock(): Promise<void> {
    this.isLocked = false;
    if (!this.handle) return;
    // By now another disk may be at the path; the socket is on the one that was locked.
    await this.disk.run(() => this.probe(this.socketFolder), SHORT_LIMIT_MS).catch(() => undefined);
    // If the disk hangs, the socket stays until the folder is locked again, or the process ends.
    if (!this.disk.isHanging) await this.release();
  }

  /** Whether the folder is still the one that is locked. False if its disk hangs. */
  async isIntact(): Promise<boolean> {
    if (!this.isLocked) return false;
    return this.disk.run(() => stat(this.lockOf(this.holder)), SHORT_LIMIT_MS).then(Boolean, () => false);
  }

  /** Files of ended processes: while the folder is locked, those are all others that do not try to lock it now. */
  async findEnded(onUnreadable: (holder: string, error: unknown) => void): Promise<EndedProcess[]> {
    const names = (await this.disk.run(() => readdir(this.path))).toSorted();
    const processes = new Map<string, FoundSegment[]>(this.othersIn(names).map((holder) => [holder, []]));
    const unreadable = new Set<string>();
    for (const name of names) {
      const [, holder, database = null] = SEGMENT.exec(name) ?? [];
      if (holder === undefined || holder === this.holder) continue;
      const file = path.join(this.path, name);
      try {
        const content = parseSegment(await this.disk.run(() => readFile(file)));
        processes.set(holder, [...(processes.get(holder) ?? []), { path: file, database, ...content }]);
      } catch (error) {
        unreadable.add(holder);
        onUnreadable(holder, error);
      }
    }
    const ended: EndedProcess[] = [];
    for (const [holder, segments] of processes) {
      if (unreadable.has(holder)) continue;
      const lock = await this.disk.run(() => this.lockAt(holder));
      if (lock === 'left' || (lock === 'none' && segments.length > 0)) ended.push({ holder, segments });
    }
    return ended;
  }

  async remove({ holder, segments }: EndedProcess): Promise<void> {
    for (const file of [...segments.map((segment) => segment.path), this.lockOf(holder)])
      await this.disk.run(() => rm(file, { force: true }));
  }

  /** Keeps what cannot be booked in a file that nothing removes. */
  async setAside(holder: string, lines: readonly string[]): Promise<void> {
    const text = lines.map((line) => `${line}\n`).join('');
    await this.disk.run(() => appendOnDisk(path.join(this.path, `${holder}.set-aside`), text));
  }

  private async takeLock(): Promise<boolean> {
    const created = await mkdir(this.path, { recursive: true, mode: 0o700 });
    // Otherwise a crash of the machine may take the new folder with it. It may be where its parent cannot be read.
    if (created !== undefined) await syncParents(path.resolve(this.path), created).catch(() => undefined);
    await this.probe();
    // Of a lock that was given up while its disk hung.
    if (this.handle) await this.probe(this.socketFolder);
    await this.release();
    this.handle = await open(this.path, 'r');
    const short = `/proc/self/fd/${this.handle.fd}`;
    this.socketFolder = await stat(short).then(
      () => short,
      () => this.path,
    );
    let isFree = false;
    try {
      this.server = await listen(this.socketOf(this.holder));
      const others = this.othersIn(await readdir(this.path));
      const locks = await Promise.all(others.map((holder) => this.lockAt(holder)));
      isFree = !locks.includes('used');
      this.isLocked = isFree;
    } finally {
      if (!isFree) await this.release();
    }
    return isFree;
  }

  /** Other processes that have, or have left, a lock. */
  private othersIn(names: readonly string[]): string[] {
    return names.flatMap((name) => LOCK_FILE.exec(name)?.[1] ?? []).filter((holder) => holder !== this.holder);
  }

  private lockOf(holder: string): string {
    return path.join(this.path, `${holder}${LOCK}`);
  }

  private socketOf(holder: string): string {
    return path.join(this.socketFolder, `${holder}${LOCK}`);
  }

  /** Resolves when the disk has answered, if only with an error: on a full disk, journals can still be booked. */
  private async probe(folder = this.path): Promise<void> {
    const file = path.join(folder, PROBE);
    await appendOnDisk(file, PROBE).catch(() => undefined);
    await rm(file, { force: true }).catch(() => undefined);
  }

  private async release(): Promise<void> {
    const { server, handle } = this;
    this.server = null;
    this.handle = null;
    if (server) await new Promise((resolve) => server.close(resolve));
    if (handle) await new DiskLimit(SHORT_LIMIT_MS).run(() => handle.close()).catch(() => undefined);
  }

  private async lockAt(holder: string): Promise<Lock> {
    try {
      await stat(this.lockOf(holder));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none';
      throw error;
    }
    return connectTo(this.socketOf(holder));
  }
}

async function appendOnDisk(file: string, text: string): Promise<void> {
  const handle = await open(file, 'a', 0o600);
  try {
    await handle.write(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The folders that have a new entry: the parent of the folder, up to that of the first one that was created. */
async function syncParents(folder: string, created: string): Promise<void> {
  const last = path.dirname(path.resolve(created));
  for (let parent = path.dirname(folder); ; parent = path.dirname(parent)) {
    await syncFolder(parent);
    if (parent === last || parent === path.dirname(parent)) return;
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

/** `left`: its process has ended. Only a refused connection means that. */
type Lock = 'used' | 'left' | 'none';

function connectTo(socket: string): Promise<Lock> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.once('connect', () => {
      connection.destroy();
      resolve('used');
    });
    connection.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED') resolve('left');
      else resolve(code === 'ENOENT' ? 'none' : 'used');
    });
  });
}
