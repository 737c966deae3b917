import { type ChildProcess, spawn } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Supervised } from './supervised';

// Waits for the launcher's end of the pipe to close, which the kernel does even after kill -9, and then ends whatever
// the list still names. A shell, because it costs one megabyte for as long as the platform runs.
const script = `
trap '' INT TERM HUP
cat >/dev/null
[ -f "$1" ] || exit 0
while read -r signal pid; do kill -s "$signal" "$pid" 2>/dev/null; done <"$1"
for second in 1 2 3 4 5 6 7 8 9 10; do
  left=0
  while read -r signal pid; do kill -0 "$pid" 2>/dev/null && left=1; done <"$1"
  [ "$left" = 0 ] && break
  sleep 1
done
while read -r signal pid; do kill -s KILL "$pid" 2>/dev/null; done <"$1"
rm -f "$1"
`;

/** Sees to it that no process outlives the launcher, however the launcher ends. */
export class Watchdog {
  private readonly shell: ChildProcess;

  constructor(private readonly listFile: string) {
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
    const lines = [...processes].flatMap((each) =>
      each.pid ? [`${each.stopSignal.replace('SIG', '')} ${each.pid}\n`] : [],
    );
    writeFileSync(`${this.listFile}.new`, lines.join(''));
    renameSync(`${this.listFile}.new`, this.listFile);
  }

  /** Everything has been stopped in order: nothing is left to watch. */
  dismiss(): void {
    rmSync(this.listFile, { force: true });
    this.shell.stdin?.end();
  }
}
