import { get } from 'node:http';
import path from 'node:path';
import type { Home } from '../home/home';
import type { SupervisedOptions } from '../processes/supervised';
import { projectRoot } from '../project-root';
import { MALLOC_SETTINGS, SEMI_SPACE_MI } from './process-memory';

export interface ServiceProcess {
  name: string;
  /** Under dist/. */
  script: string;
  /** Asked for at each start. */
  env: () => NodeJS.ProcessEnv;
  /** The most that the heap may hold of what lives; none for what is no service. */
  heapMi?: number;
  semiSpaceMi?: number;
  /** All of them answer when it is ready. */
  readyUrls: readonly string[];
  /** The name of the log that a line belongs to; by default that of the process. */
  logOf?: (line: string) => string;
  stopGraceMs?: number;
  onLine: (line: string) => void;
}

export const STOP_GRACE_MS = 30_000;

// Loading ES modules with require() is stable enough for us; Node 20 says otherwise on every start. Source maps would
// cost a third more at every start and 12 MB per service: the compiled files read much like the sources.
const flagsWith = (semiSpaceMi: number): string[] => [
  '--disable-warning=ExperimentalWarning',
  `--max-semi-space-size=${semiSpaceMi}`,
];
export const nodeFlags = flagsWith(SEMI_SPACE_MI);

const heapFlags = (heapMi?: number): string[] => (heapMi === undefined ? [] : [`--max-old-space-size=${heapMi}`]);

/** One Node process of the platform. A service has 25 s of its own to finish what it holds before it is made to end. */
export function serviceProcess(home: Home, service: ServiceProcess): SupervisedOptions {
  return {
    name: service.name,
    describe: () => ({
      name: service.name,
      command: process.execPath,
      args: [
        ...flagsWith(service.semiSpaceMi ?? SEMI_SPACE_MI),
        ...heapFlags(service.heapMi),
        path.join('dist', service.script),
      ],
      env: { ...MALLOC_SETTINGS, ...service.env() },
      cwd: projectRoot,
      logFile: (line) => path.join(home.logs, `${service.logOf?.(line) ?? service.name}.log`),
      onLine: service.onLine,
    }),
    isReady: async () => (await Promise.all(service.readyUrls.map(answersOk))).every(Boolean),
    readyWithinMs: 120_000,
    stopSignal: 'SIGTERM',
    stopGraceMs: service.stopGraceMs ?? STOP_GRACE_MS,
  };
}

export function answersOk(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { timeout: 2_000, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}
