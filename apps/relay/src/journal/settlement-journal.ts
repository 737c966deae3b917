import { close, constants, fstat, open as openFile, write } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { DiskLimit } from './disk-limit';
import { encodeRecord } from './journal-records';
import { syncFolder } from './sync-folder';

/** Blocks are written when the segment is created: a later write changes only their content, which is faster. */
const SEGMENTS = 4;
/** After a failed write, the next attempt. */
const RETRY_MS = 5_000;
/** Settlements wait no longer for a write to the disk. */
const WRITE_LIMIT_MS = 1_000;

export interface JournalOptions {
  folder: string;
  /** The beginning of the names of its segments. */
  name: string;
  maxBytes: number;
  retryMs?: number;
  writeLimitMs?: number;
  /** The journal takes nothing more, or works again: called once for each change. */
  onState: (state: JournalState) => void;
}

/** `full`: all segments have entries that are not booked. */
export type JournalState = { kind: 'works' } | { kind: 'full' } | { kind: 'failed'; error: unknown };

/** A file of the journal, and how many of its entries are not booked yet. */
export class JournalSegment {
  unbooked = 0;
  at = 0;
  generation = 1;
  /** Takes no more entries, for example after a failed write, and is removed when those it has are booked. */
  isBroken = false;

  constructor(
    readonly path: string,
    readonly file: number,
  ) {}

  rewind(): void {
    this.at = 0;
    this.generation += 1;
  }
}

interface WaitingEntry {
  entry: string;
  resolve: (segment: JournalSegment | null) => void;
}

interface GroupWrite {
  group: readonly WaitingEntry[];
  segment: JournalSegment | null;
  /** Its entries are waited for no longer: they are booked without the journal. */
  isLate: boolean;
}

/**
 * Settlements on the local disk. One write, which is on the disk when it returns, is shared by all entries that wait for
 * it. The entries of a segment are written over once all of them are booked, so its files are as few as what is not
 * booked needs.
 */
export class SettlementJournal {
  private readonly segments: JournalSegment[] = [];
  private current: JournalSegment | null = null;
  private removing = Promise.resolve();
  private waiting: WaitingEntry[] = [];
  private writing: Promise<void> | null = null;
  /** A write that is late and has not returned. There is one at most: each takes a thread from all files of the process. */
  private hanging: GroupWrite | null = null;
  private created = 0;
  private retryAt = 0;
  private state: JournalState['kind'] = 'works';
  private isOpened = false;
  private database = '';
  /** For looks at files: while one hangs, nothing is written. */
  private readonly disk: DiskLimit;

  constructor(private readonly options: JournalOptions) {
    this.disk = new DiskLimit(options.writeLimitMs ?? WRITE_LIMIT_MS);
  }

  get isOpen(): boolean {
    return this.isOpened;
  }

  /** Takes entries from now on. The names of its files have the identity of the database in which they are booked. */
  open(database: string): void {
    this.database = database;
    this.isOpened = true;
  }

  /** Takes no more entries. Files are removed, or stay until their entries are booked. */
  async close(): Promise<void> {
    this.isOpened = false;
    await this.writing;
    const booked = this.segments.filter(({ unbooked }) => unbooked === 0);
    for (const segment of this.segments) segment.isBroken = true;
    // If the disk hangs, they are removed when it answers, or by the next start.
    await new DiskLimit(this.options.writeLimitMs ?? WRITE_LIMIT_MS)
      .run(async () => {
        for (const segment of booked) await this.remove(segment);
      })
      .catch(() => undefined);
  }

  /** The segment that has the entry on the disk, for `release`; null if the journal cannot take it. */
  append(entry: string): Promise<JournalSegment | null> {
    if (!this.isOpened || this.isPaused || mostBytes(entry) > this.segmentBytes) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.waiting.push({ entry, resolve });
      this.writing ??= this.writeAll();
    });
  }

  /** So many entries are booked. */
  release(segment: JournalSegment, entries = 1): void {
    segment.unbooked -= entries;
    if (segment.isBroken && segment.unbooked === 0) this.removeNext(segment);
  }

  /** Whether the files are still in their folder. If not, no more is written into them. */
  async checkFiles(): Promise<void> {
    // Then a thread waits for the disk already, and nothing else is written.
    if (this.hanging) return;
    for (const segment of this.segments.filter(({ isBroken }) => !isBroken))
      try {
        const isThere = await this.disk.run(() => isInFolder(segment));
        if (!isThere && !segment.isBroken)
          this.fail(segment, new Error('a file of the journal was removed, or its disk is broken'));
      } catch (error) {
        this.enter({ kind: 'failed', error });
        return;
      }
  }

  private async writeAll(): Promise<void> {
    // Calls that end in the same turn of the event loop share the write.
    await new Promise(setImmediate);
    while (this.waiting.length > 0) {
      const group = this.takeGroup();
      const segment = this.isPaused ? null : await this.writeInTime(group);
      for (const { resolve } of group) resolve(segment);
    }
    this.writing = null;
  }

  private get isPaused(): boolean {
    return this.hanging !== null || this.disk.isHanging || performance.now() < this.retryAt;
  }

  private get segmentBytes(): number {
    return Math.floor(this.options.maxBytes / SEGMENTS);
  }

  /** As many entries as surely fit into an empty segment, and at least one. */
  private takeGroup(): WaitingEntry[] {
    let bytes = 0;
    let count = 0;
    for (const { entry } of this.waiting) {
      bytes += mostBytes(entry);
      if (count > 0 && bytes > this.segmentBytes) break;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  /** A disk that hangs delays no answer for longer. A late write may still reach the disk: booking twice changes nothing. */
  private async writeInTime(group: readonly WaitingEntry[]): Promise<JournalSegment | null> {
    const { writeLimitMs = WRITE_LIMIT_MS } = this.options;
    const write: GroupWrite = { group, segment: null, isLate: false };
    const returning = this.writeGroup(write);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, writeLimitMs, 'late')));
    const result = await Promise.race([returning, late]);
    clearTimeout(timer);
    if (result !== 'late') return result;
    write.isLate = true;
    this.hanging = write;
    if (write.segment) write.segment.isBroken = true;
    this.fail(null, new Error(`a write took longer than ${writeLimitMs} ms`));
    void returning.then(() => (this.hanging = null));
    return null;
  }

  /** Never rejects. */
  private async writeGroup(write: GroupWrite): Promise<JournalSegment | null> {
    const { group } = write;
    try {
      const segment = await this.segmentFor(group.reduce((sum, { entry }) => sum + mostBytes(entry), 0));
      if (write.isLate) {
        if (segment && !this.isOpened) await this.remove(segment);
        return null;
      }
      if (!segment) {
        this.enter({ kind: 'full' });
        return null;
      }
      const { generation } = segment;
      const bytes = Buffer.from(group.map(({ entry }) => encodeRecord(generation, entry)).join(''));
      segment.unbooked += group.length;
      write.segment = segment;
      await writeAt(segment, bytes);
      segment.at += bytes.length;
      if (isLate(write)) {
        this.release(segment, group.length);
        return null;
      }
      this.enter({ kind: 'works' });
      return segment;
    } catch (error) {
      if (write.segment) write.segment.unbooked -= group.length;
      this.fail(write.segment, error);
      return null;
    }
  }

  private async segmentFor(bytes: number): Promise<JournalSegment | null> {
    const { current } = this;
    if (current && !current.isBroken) {
      if (current.unbooked === 0) current.rewind();
      if (current.at + bytes <= this.segmentBytes) return current;
    }
    const booked = this.segments.find(({ unbooked, isBroken }) => unbooked === 0 && !isBroken);
    booked?.rewind();
    this.current = booked ?? (await this.create());
    return this.current;
  }

  /** Null if the journal has as many files as it may. */
  private async create(): Promise<JournalSegment | null> {
    if (this.segments.length >= SEGMENTS) return null;
    const { folder, name } = this.options;
    const file = path.join(folder, `${name}-${(this.created += 1)}-${this.database}.journal`);
    try {
      await fill(file, this.segmentBytes);
      await syncFolder(folder);
      const segment = new JournalSegment(file, await promisify(openFile)(file, constants.O_WRONLY | constants.O_DSYNC));
      this.segments.push(segment);
      return segment;
    } catch (error) {
      // A file that is there in part would take the space that the disk lacks.
      await rm(file, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  private fail(segment: JournalSegment | null, error: unknown): void {
    this.retryAt = performance.now() + (this.options.retryMs ?? RETRY_MS);
    if (segment) {
      segment.isBroken = true;
      if (segment.unbooked === 0) this.removeNext(segment);
    }
    this.enter({ kind: 'failed', error });
  }

  private enter(state: JournalState): void {
    if (this.state === state.kind) return;
    this.state = state.kind;
    this.options.onState(state);
  }

  /** One at a time: on a disk that hangs, each would keep one of the process's few threads for files. */
  private removeNext(segment: JournalSegment): void {
    this.removing = this.removing.then(() => this.remove(segment));
  }

  private async remove(segment: JournalSegment): Promise<void> {
    const at = this.segments.indexOf(segment);
    if (at < 0) return;
    this.segments.splice(at, 1);
    if (this.current === segment) this.current = null;
    await promisify(close)(segment.file).catch(() => undefined);
    await rm(segment.path, { force: true }).catch(() => undefined);
  }
}

/** With the checksum and the longest generation. */
const mostBytes = (entry: string): number => Buffer.byteLength(entry) + 28;

/** It may have changed while the write ran. */
const isLate = (write: GroupWrite): boolean => write.isLate;

/** False also if its disk is broken. */
const isInFolder = ({ file }: JournalSegment): Promise<boolean> =>
  promisify(fstat)(file).then(
    ({ nlink }) => nlink > 0,
    () => false,
  );

/** By the callback: a promise of the file system costs more than the write takes. */
function writeAt({ file, at }: JournalSegment, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    write(file, bytes, 0, bytes.length, at, (error, written) => {
      if (error) reject(error);
      else if (written < bytes.length) reject(new Error(`only ${written} of ${bytes.length} bytes were written`));
      else resolve();
    });
  });
}

async function fill(file: string, bytes: number): Promise<void> {
  const made = await open(file, 'wx', 0o600);
  try {
    const zeros = Buffer.alloc(Math.min(bytes, 1024 * 1024));
    for (let at = 0; at < bytes; at += zeros.length) {
      const part = zeros.subarray(0, Math.min(zeros.length, bytes - at));
      const { bytesWritten } = await made.write(part, 0, part.length, at);
      if (bytesWritten < part.length) throw new Error(`only ${at + bytesWritten} of ${bytes} bytes were written`);
    }
    await made.sync();
  } finally {
    await made.close();
  }
}
