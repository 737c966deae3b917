import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../../tools/launcher/ports';
import { SERVICES } from '../../../tools/launcher/service-names';
import { median } from '../measure';
import { proportionalMib, residentMib } from '../memory';
import type { BenchContext, BenchRow, Measured } from '../row';

const STARTS = 5;
const READY = /is up after ([\d.]+) s/;
/** Discards garbage of loading. */
const SETTLED_MS = 20_000;
const MAX_SECONDS = 12;
const MAX_MIB = 1.2 * 1024;
const MAX_PROPORTIONAL_MIB = 800;

/** A platform of its own, as `npm start` makes it with a process for each service, with a home that stays. */
function begin(home: string, port: number): { launcher: ChildProcess; seconds: Promise<number> } {
  const { PATH, HOME } = process.env;
  const launcher = spawn(process.execPath, [path.join(__dirname, '../../../tools/launcher/start-command.js')], {
    // The limits are for nine processes.
    env: { PATH, HOME, SWITCHYARD_HOME: home, GATEWAY_PORT: String(port), SWITCHYARD_PROCESSES: 'services' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  const seconds = new Promise<number>((resolve, reject) => {
    launcher.stdout.on('data', (piece: Buffer) => {
      text += piece.toString();
      const up = READY.exec(text)?.[1];
      if (up !== undefined) resolve(Number(up));
    });
    launcher.once('exit', (code) => {
      reject(new Error(`the launcher ended with code ${code} before the platform was up: ${text.slice(-2_000)}`));
    });
  });
  return { launcher, seconds };
}

async function end(launcher: ChildProcess): Promise<void> {
  if (launcher.exitCode !== null || launcher.signalCode !== null) return;
  const removed = new Promise((resolve) => launcher.once('exit', resolve));
  launcher.kill('SIGINT');
  await removed;
}

function isServiceOf(launcher: ChildProcess, pid: string): boolean {
  try {
    const parent = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[1];
    return parent === String(launcher.pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('/apps/');
  } catch {
    return false;
  }
}

function memoryOf(launcher: ChildProcess): { resident: number; proportional: number } {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isServiceOf(launcher, name));
  if (pids.length !== SERVICES.length) throw new Error(`${pids.length} services run instead of ${SERVICES.length}`);
  const sum = (mibOf: (pid: string) => number): number => pids.reduce((all, pid) => all + mibOf(pid), 0);
  return { resident: sum(residentMib), proportional: sum(proportionalMib) };
}

const limited = (what: string, ours: number, unit: string, most: number): Measured => ({
  what,
  beside: 'limit',
  ours,
  theirs: most,
  unit,
  ratio: ours / most,
  target: `<= ${most.toFixed(0)} ${unit}`,
  judged: 'ours',
  met: ours <= most,
});

/** How long a start takes where everything has been made before, and what nine services hold then. */
export const start: BenchRow = {
  name: 'start',
  async run({ report }: BenchContext): Promise<Measured[]> {
    const home = mkdtempSync(path.join(os.tmpdir(), 'switchyard-'));
    const port = await freePort();
    const seconds: number[] = [];
    let memory = { resident: NaN, proportional: NaN };
    try {
      for (let turn = 0; turn <= STARTS; turn += 1) {
        const { launcher, seconds: taken } = begin(home, port);
        try {
          const took = await taken;
          report(`${turn === 0 ? 'first start' : `start ${turn + 1}`}: ${took} s`);
          if (turn > 0) seconds.push(took);
          if (turn < STARTS) continue;
          await setTimeout(SETTLED_MS);
          memory = memoryOf(launcher);
        } finally {
          await end(launcher);
        }
      }
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
    return [
      limited('second start to ready, all services', median(seconds), 's', MAX_SECONDS),
      limited('nine services at rest, resident', memory.resident, 'MiB', MAX_MIB),
      limited('nine services at rest, shared pages divided', memory.proportional, 'MiB', MAX_PROPORTIONAL_MIB),
    ];
  },
};
