import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES } from '@switchyard/contracts';
import { TestPlatform, until } from '@switchyard/testing';
import { untilSignal } from '../../tools/launcher/until-signal';
import { parseTestOptions } from '../../tools/test/test-options';
import { withTestPlatform } from '../../tools/test/test-platform';
import { prepareRequests } from './requests';

const HOOK = path.resolve(__dirname, '../../../proof/paths/run-functions.cjs');
const WARM_UP = 5;
/** Work that follows the answer, such as the last write of a turn. */
const AFTERWARDS_MS = 300;

/** The source files in which a function ran while `work` ran, by service. */
async function filesOf(
  platform: TestPlatform,
  folder: string,
  work: () => Promise<void>,
): Promise<Map<string, string[]>> {
  const pids = SERVICES.map((service) => [service, platform.state.pids[service] ?? 0] as const);
  const signal = (): void => pids.forEach(([, pid]) => process.kill(pid, 'SIGUSR2'));
  signal();
  await sleep(AFTERWARDS_MS);
  await work();
  await sleep(AFTERWARDS_MS);
  signal();
  const files = new Map<string, string[]>();
  for (const [service, pid] of pids) {
    const file = path.join(folder, `${pid}.json`);
    const ran = await until(() => Promise.resolve(readIfWritten(file)), { timeoutMs: 60_000 });
    rmSync(file);
    files.set(service, ran);
  }
  return files;
}

function readIfWritten(file: string): string[] | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as string[];
  } catch {
    return null;
  }
}

async function paths(): Promise<number> {
  const args = process.argv.slice(2);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'switchyard-paths-'));
  const settings = { NODE_OPTIONS: `--require=${HOOK}`, SWITCHYARD_TEST_PATHS: folder };
  const options = { ...parseTestOptions([]), everything: false };
  const done = await withTestPlatform(
    options,
    untilSignal(),
    async (environment) => {
      for (const [name, value] of Object.entries(environment)) process.env[name] = value;
      const platform = new TestPlatform();
      try {
        for (const [name, work] of Object.entries(await prepareRequests(platform))) {
          for (let round = 0; round < WARM_UP; round += 1) await work();
          await sleep(2_000);
          const idle = await filesOf(platform, folder, () => sleep(500));
          const ran = await filesOf(platform, folder, work);
          const all = new Set([...ran.values()].flat());
          const background = new Set([...idle.values()].flat());
          const own = [...all].filter((file) => !background.has(file));
          console.log(`${name}: ${all.size} files, of which ${all.size - own.length} also run without a request`);
          for (const [service, files] of ran) {
            console.log(`  ${service}: ${files.filter((file) => !background.has(file)).length} of ${files.length}`);
            if (args.includes('--files')) for (const file of files) console.log(`    ${file}`);
          }
        }
      } finally {
        await platform.database.close();
      }
      return true;
    },
    settings,
  );
  rmSync(folder, { recursive: true, force: true });
  return done ? 0 : 130;
}

paths().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
