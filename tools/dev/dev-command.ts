import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { askForRestart } from '../launcher/dev-socket';
import { openHome } from '../launcher/home/home';
import { runToEnd } from '../launcher/processes/transient';
import { projectRoot } from '../launcher/project-root';
import { StopSentence } from '../launcher/stop-sentence';
import { untilSignal } from '../launcher/until-signal';
import { devHelp, parseDevOptions } from './dev-options';
import { followLog, readable } from './log-lines';
import { sourceRootsOf } from './nest-projects';
import { watchSources } from './watch-sources';

async function dev(): Promise<void> {
  const { service, inspect, help } = parseDevOptions(process.argv.slice(2));
  if (help) return void process.stdout.write(devHelp);
  const environmentFile = path.join(projectRoot, '.env');
  if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);
  const home = openHome(path.resolve(projectRoot, process.env.SWITCHYARD_HOME || '.switchyard'));
  const settings: Record<string, string> =
    inspect === undefined ? {} : { NODE_OPTIONS: `--inspect=127.0.0.1:${inspect}` };
  const ending = untilSignal();
  const roots = sourceRootsOf(service, projectRoot);

  const restart = async (): Promise<void> => {
    const startedAt = Date.now();
    await askForRestart(home, service, settings);
    console.log(`-- ${service} is ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  };
  // The first one has to work: without a platform there is nothing to watch for.
  await restart();

  const again = oneAtATime(async () => {
    const built = await runToEnd(process.execPath, [path.join(projectRoot, 'tools/build.mjs'), '--quiet']);
    if (built.code !== 0) {
      console.error(`${built.stderr.trim()}\n-- not built; ${service} runs as before`);
      return;
    }
    // If a service fails to start, shows its last lines; the next change retries.
    await restart().catch((error: unknown) => console.error(error instanceof Error ? error.message : error));
  });
  const stopLog = followLog(path.join(home.logs, `${service}.log`), (line) => console.log(readable(line)));
  const stopWatching = watchSources(roots, (file) => {
    console.log(`-- ${file} has changed`);
    again();
  });
  const typed = createInterface({ input: process.stdin }).on('line', again);
  console.log(`-- watching ${roots.map((root) => path.relative(projectRoot, root)).join(', ')}`);
  await ending;
  typed.close();
  stopWatching();
  stopLog();
}

/** Calls during a run cause one more run afterwards. */
function oneAtATime(work: () => Promise<void>): () => void {
  let count = 0;
  const run = async (): Promise<void> => {
    while (count > 0) {
      count = 1;
      await work();
      count -= 1;
    }
  };
  return () => {
    count += 1;
    if (count === 1) void run();
  };
}

dev().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof StopSentence ? error.message : error);
    process.exit(1);
  },
);
