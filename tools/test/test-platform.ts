import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openDevSocket } from '../launcher/dev-socket';
import { openHome } from '../launcher/home/home';
import { lockHome } from '../launcher/home/lock';
import { loadSecrets } from '../launcher/home/secrets';
import { Platform } from '../launcher/platform';
import { Progress } from '../launcher/progress';
import { findBinary } from '../launcher/servers/binaries';
import { provideBinaries } from '../launcher/servers/install';
import { openControl } from './control';
import { sharesProcesses } from '../launcher/options';
import { provideMcpTools } from './mcp-tools';
import type { TestOptions } from './test-options';
import { writeState } from './write-state';

/** Runs `work` against a platform of its own in a temporary home, and leaves nothing behind. */
export async function withTestPlatform<T>(
  options: TestOptions,
  ending: Promise<unknown>,
  work: (environment: NodeJS.ProcessEnv) => Promise<T>,
  /** Settings of this run; undefined restores the default. */
  settings: NodeJS.ProcessEnv = {},
): Promise<T | undefined> {
  const home = openHome(mkdtempSync(path.join(os.tmpdir(), 'switchyard-')));
  const unlock = lockHome(home);
  const secrets = loadSecrets(home, process.env);
  const progress = new Progress();
  const stateFile = home.file('state.json');
  let writeDown = (): void => undefined;
  const platform = new Platform({
    home,
    secrets,
    // All tests come from one address; the limit itself is proved with credentials.
    environment: {
      ADDRESS_RATE_LIMIT_PER_MINUTE: '100000',
      ...OPEN_ADDRESS,
      ...relayForTests(home.directory),
      // Tests look for a call in the database when it is answered.
      RELAY_JOURNAL_FOLDER: '',
      // The sweep of old rows is proved by what it leaves and takes, not by its pace.
      RETENTION_EVERY_MS: '3000',
      SESSION_LATENCY_INTERVAL_MS: '3000',
      RELAY_USAGE_INTERVAL_MS: '3000',
      EVENT_LOOP_STALL_MS: String(options.stallMs),
      ...process.env,
      NODE_ENV: 'test',
      FAILPOINTS: 'true',
      ...settings,
    },
    services: options.services,
    // Unlike `npm start`: tests kill single services.
    hosts: sharesProcesses(settings.SWITCHYARD_PROCESSES ?? process.env.SWITCHYARD_PROCESSES ?? 'services'),
    gatewayHost: '127.0.0.1',
    gatewayPort: 0,
    natsApiPort: 0,
    // A run that measures has the interval that users have.
    natsSyncEveryMs: settings.NODE_ENV === 'production' ? undefined : 500,
    install: false,
    progress,
    print: (line) => options.verbose && console.log(line),
    onLine: (name, line) => options.findings.hear(name, line),
    onOverMemory: (found) => options.findings.overMemory(found),
    onProcesses: () => writeDown(),
  });
  const control = await openControl(platform, home);
  const closeDevSocket = await openDevSocket(platform, home);
  let isGreen = false;
  try {
    const started = Promise.all([platform.start(), toolsFor(options, progress), mcpToolsFor(options, progress)]);
    const provided = await Promise.race([started, ending.then(() => undefined)]);
    if (!provided) return undefined;
    const [, { chromium, promtool, amtool }, mcpTools] = provided;
    writeDown = () => writeState(stateFile, platform, { secrets, controlUrl: control.url, home: home.directory });
    writeDown();
    const environment = {
      NODE_ENV: 'test',
      SWITCHYARD_TEST_URL: platform.endpoints.gatewayUrl,
      SWITCHYARD_TEST_OWNER_EMAIL: secrets.ownerEmail,
      SWITCHYARD_TEST_OWNER_PASSWORD: secrets.ownerPassword,
      SWITCHYARD_TEST_STATE: stateFile,
      SWITCHYARD_TEST_CHROMIUM: chromium,
      SWITCHYARD_TEST_PROMTOOL: promtool,
      SWITCHYARD_TEST_AMTOOL: amtool,
      SWITCHYARD_TEST_MCP_TOOLS: mcpTools,
    };
    const result = await Promise.race([work(environment), ending.then(() => undefined)]);
    isGreen = true;
    return result;
  } finally {
    writeDown = () => undefined;
    control.close();
    closeDevSocket();
    await platform.stop();
    if (!isGreen) reportEndings(home.logs);
    unlock();
    if (options.keep) console.log(`kept: ${home.directory}`);
    else rmSync(home.directory, { recursive: true, force: true });
  }
}

/** Where tests listen for outgoing calls; 127.0.0.1 stays out of bounds, as for everybody. */
const OPEN_ADDRESS: NodeJS.ProcessEnv = { SWITCHYARD_ALLOW_PRIVATE_EGRESS: '127.0.0.2' };

/** Tests bring catalogues of their own, and do not wait a minute for a dead relay's reservations. */
const relayForTests = (directory: string): NodeJS.ProcessEnv => ({
  MODELS_FOLDER: directory,
  RELAY_DEAD_AFTER_SECONDS: '10',
  RELAY_SWEEP_SECONDS: '1',
});

/** The test files that need a program beside the servers, by a part of their path. A run of other files installs none. */
const TOOLS = { chromium: 'console', promtool: 'observability', amtool: 'observability' } as const;
type Tool = keyof typeof TOOLS;

/** The console is tested in a real browser, and the alerts in Prometheus's own engine. */
async function toolsFor(options: TestOptions, progress: Progress): Promise<Record<Tool, string>> {
  const all = Object.keys(TOOLS) as Tool[];
  const expected = all.filter(
    (tool) => options.suite !== 'named' || options.jestArgs.some((arg) => arg.includes(TOOLS[tool])),
  );
  const provided: Partial<Record<Tool, string>> = await provideBinaries(expected, { install: false, progress });
  return Object.fromEntries(all.map((tool) => [tool, provided[tool] ?? findBinary(tool) ?? ''])) as Record<
    Tool,
    string
  >;
}

/** So is the MCP server by tools of others. */
async function mcpToolsFor(options: TestOptions, progress: Progress): Promise<string> {
  const isExpected = options.suite !== 'named' || options.jestArgs.some((arg) => /conformance|examples/.test(arg));
  return isExpected ? provideMcpTools(progress) : '';
}

/** The last lines of each log, for a platform that did not come up on a machine that is gone later. */
function reportEndings(logs: string): void {
  for (const file of readdirSync(logs)) {
    const lines = readFileSync(path.join(logs, file), 'utf8').trim().split('\n').slice(-5);
    console.error(`--- ${file}\n${lines.join('\n')}`);
  }
}
