import { closeSync, existsSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

const rotateBytes = 20 * 1024 * 1024;

/** Of one process: one file, or one for each part of the process. */
export class LogFiles {
  private readonly files = new Map<string, LogFile>();
  private readonly nameOf: (line: string) => string;

  constructor(name: string | ((line: string) => string)) {
    this.nameOf = typeof name === 'string' ? () => name : name;
  }

  write(line: string): void {
    try {
      this.fileOf(this.nameOf(line)).write(line);
    } catch {
      // As below, also if a file cannot be opened.
    }
  }

  close(): void {
    for (const file of this.files.values()) file.close();
  }

  private fileOf(name: string): LogFile {
    const file = this.files.get(name) ?? new LogFile(name);
    this.files.set(name, file);
    return file;
  }
}

/**
 * Appends lines to a file; past 20 MiB the file becomes `<name>.1` and a new one begins.
 * A descriptor is closed once and not used after it: its number may belong to another file by then.
 */
class LogFile {
  private descriptor: number | undefined;
  private bytes: number;

  constructor(private readonly file: string) {
    this.descriptor = openSync(file, 'a', 0o600);
    this.bytes = fstatSync(this.descriptor).size;
  }

  write(line: string): void {
    if (this.descriptor === undefined) return;
    try {
      this.bytes += writeSync(this.descriptor, `${line}\n`);
      if (this.bytes > rotateBytes) this.rotate(this.descriptor);
    } catch {
      // A full disk must not take the supervisor down with it: the platform goes on without its log file.
    }
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  /** If the file cannot be renamed or a new one cannot be opened, the next 20 MiB follow in the old one. */
  private rotate(old: number): void {
    this.bytes = 0;
    if (existsSync(this.file)) renameSync(this.file, `${this.file}.1`);
    this.descriptor = openSync(this.file, 'a', 0o600);
    closeSync(old);
  }
}
