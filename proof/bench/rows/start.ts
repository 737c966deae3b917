import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../../tools/launcher/ports';
import { hostsOf } from '../../../tools/host/hosts';
import { SERVICES } from '../../../tools/launcher/service-names';
import { median } from '../measure';
import { proportionalMib, residentMib } from '../memory';
import type { BenchContext, BenchRow, Measured, Shape } from '../row';

const STARTS = 5;
const READY = /is up after ([\d.]+) s/;
/** Discards garbage of loading. */
const SETTLED_MS = 20_000;
const MAX_SECONDS = 9;
const MAX_MIB: Readonly<Record<Shape, { resident: number; proportional: number }>> = {
  hosts: { resident: 550, proportional: 550 },
  services: { resident: 1.2 * 1024, proportional: 800 },
};

interface Begun {
  launcher: ChildProcess;
  seconds: Promise<number>;
}

/** A platform of its own, as `npm start` makes it, with a home that stays. */
function begin(home: string, port: number, shape: Shape): Begun {
  const { PATH, HOME } = process.env;
  const setting = shape === 'hosts' ? {} : { SWITCHYARD_PROCESSES: shape };
  const launcher = spawn(process.execPath, [path.join(__dirname, '../../../tools/launcher/start-command.js')], {
    env: { PATH, HOME, SWITCHYARD_HOME: home, GATEWAY_PORT: String(port), ...setting },
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
    if (parent !== String(launcher.pid)) return false;
    return /\/apps\/|\/tools\/host\//.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
  } catch {
    return false;
  }
}

function memoryOf(launcher: ChildProcess, shape: Shape): { resident: number; proportional: number } {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isServiceOf(launcher, name));
  const expected = shape === 'hosts' ? hostsOf(SERVICES).length : SERVICES.length;
  if (pids.length !== expected) throw new Error(`${pids.length} processes of services run instead of ${expected}`);
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

/** How long a start takes where everything has been made before, and the memory of the nine services after it. */
export const start: BenchRow = {
  name: 'start',
  shapes: ['hosts', 'services'],
  async run({ shape, report }: BenchContext): Promise<Measured[]> {
    const home = mkdtempSync(path.join(os.tmpdir(), 'switchyard-'));
    const port = await freePort();
    const seconds: number[] = [];
    let memory = { resident: NaN, proportional: NaN };
    try {
      for (let turn = 0; turn <= STARTS; turn += 1) {
        const { launcher, seconds: taken } = begin(home, port, shape);
        try {
          const took = await taken;
          report(`${turn === 0 ? 'first start' : `start ${turn + 1}`}: ${took} s`);
          if (turn > 0) seconds.push(took);
          if (turn < STARTS) continue;
          await setTimeout(SETTLED_MS);
          memory = memoryOf(launcher, shape);
        } finally {
          await end(launcher);
        }
      }
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
    return [
      limited('second start to ready, all services', median(seconds), 's', MAX_SECONDS),
      limited('nine services at rest, resident', memory.resident, 'MiB', MAX_MIB[shape].resident),
      limited('nine services at rest, shared pages divided', memory.proportional, 'MiB', MAX_MIB[shape].proportional),
    ];
  },
};
