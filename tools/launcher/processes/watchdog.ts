import { type ChildProcess, spawn } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { startTimeOf } from './process-identity';
import type { Supervised } from './supervised';

// Waits until the launcher's end of the pipe closes, also after kill -9, and then terminates the listed processes. A
// shell script, since it takes only one megabyte. Survivors are killed ten seconds later; by then the dead launcher's
// list is gone, and another launcher may have one.
const script = `
trap '' INT TERM HUP
cat >/dev/null
[ -f "$1" ] || exit 0
list=$(cat "$1")
each() { echo "$list" | while read -r signal pid startedAt; do [ -n "$pid" ] && "$@"; done; }
tell() { kill -s "$signal" "$pid"; }
end() { kill -s KILL "$pid"; }
each tell 2>/dev/null
sleep 10
each end 2>/dev/null
`;

const notWritten = (error: unknown): string =>
  `warning: if the launcher is killed, some processes may run on, because the list of them cannot be written: ${
    error instanceof Error ? error.message : String(error)
  }`;

/** Sees to it that no process outlives the launcher, however the launcher ends. */
export class Watchdog {
  private readonly shell: ChildProcess;
  private isDismissed = false;
  private isWritten = true;

  constructor(
    private readonly listFile: string,
    private readonly print: (line: string) => void,
  ) {
    rmSync(listFile, { force: true });
    this.shell = spawn('/bin/sh', ['-c', script, 'switchyard-watchdog', listFile], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.shell.stdin?.on('error', () => undefined);
    this.shell.on('error', () => undefined);
    this.shell.unref();
  }

  watch(processes: Iterable<Supervised>): void {
    if (this.isDismissed) return;
    const lines = [...processes].flatMap(({ pid, stopSignal }) =>
      pid ? [`${stopSignal.replace('SIG', '')} ${pid} ${startTimeOf(pid)}\n`] : [],
    );
    try {
      writeFileSync(`${this.listFile}.new`, lines.join(''));
      renameSync(`${this.listFile}.new`, this.listFile);
      this.isWritten = true;
    } catch (error) {
      // A full disk must not end the launcher.
      if (this.isWritten) this.print(notWritten(error));
      this.isWritten = false;
    }
  }

  /** Everything has been stopped in order: nothing is left to watch. */
  dismiss(): void {
    this.isDismissed = true;
    rmSync(this.listFile, { force: true });
    this.shell.stdin?.end();
  }
}
