import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

const rotateBytes = 20 * 1024 * 1024;

/** Appends lines to a file; past 20 MiB the file becomes `<name>.1` and a new one begins. */
export class LogFile {
  private descriptor: number;
  private bytes: number;

  constructor(private readonly file: string) {
    this.descriptor = openSync(file, 'a', 0o600);
    this.bytes = fstatSync(this.descriptor).size;
  }

  write(line: string): void {
    try {
      this.bytes += writeSync(this.descriptor, `${line}\n`);
      if (this.bytes > rotateBytes) this.rotate();
    } catch {
      // A full disk must not take the supervisor down with it: the platform goes on without its log file.
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private rotate(): void {
    closeSync(this.descriptor);
    renameSync(this.file, `${this.file}.1`);
    this.descriptor = openSync(this.file, 'a', 0o600);
    this.bytes = 0;
  }
}
