import { execFile } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A disk of its own for one folder, small enough to be filled. Needs the right to mount. */
export class SmallDisk {
  private constructor(private readonly folder: string) {}

  /** Takes what is in the folder along; no process may use it. */
  static async under(folder: string, megabytes: number): Promise<SmallDisk> {
    const stored = `${folder}.kept`;
    renameSync(folder, stored);
    mkdirSync(folder);
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
    await run('cp', ['-a', `${stored}/.`, folder]);
    rmSync(stored, { recursive: true });
    return new SmallDisk(folder);
  }

  /** To the last block. */
  fill(): void {
    const file = openSync(this.filler, 'a');
    for (const size of [1 << 20, 1 << 16, 1 << 12]) {
      const block = Buffer.alloc(size);
      try {
        while (writeSync(file, block) > 0);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
    closeSync(file);
  }

  free(): void {
    rmSync(this.filler);
  }

  /** Also while somebody still has files open there. */
  async close(): Promise<void> {
    await run('umount', ['-l', this.folder]);
  }

  private get filler(): string {
    return `${this.folder}/filler`;
  }
}
