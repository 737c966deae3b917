import { readFileSync } from 'node:fs';
import path from 'node:path';
import { nearMisses } from '@switchyard/kernel';
import { projectRoot } from '../project-root';

/**
 * By service: the variables that its configuration names. A build writes them down, so that nothing of a service is
 * loaded.
 */
export type VariableNames = Readonly<Record<string, readonly string[]>>;

const FILE = path.join(projectRoot, 'dist/checks/variables.json');
let existing: VariableNames | undefined;

export const variableNames = (): VariableNames =>
  (existing ??= JSON.parse(readFileSync(FILE, 'utf8')) as VariableNames);

/** Problems with names that are nearly a setting: the launcher reports them before it starts anything. */
export const misspelledSettings = (environment: NodeJS.ProcessEnv): string[] =>
  nearMisses(environment, new Set(Object.values(variableNames()).flat()));

/** Of Node's own variables, by name: others of that prefix hold credentials, such as NODE_AUTH_TOKEN. */
const OF_NODE =
  'COMPILE_CACHE|DEBUG|DEBUG_NATIVE|DISABLE_COMPILE_CACHE|ENV|EXTRA_CA_CERTS|ICU_DATA|NO_WARNINGS|OPTIONS|PATH|' +
  'PENDING_DEPRECATION|REDIRECT_WARNINGS|TLS_REJECT_UNAUTHORIZED|USE_ENV_PROXY|USE_SYSTEM_CA|V8_COVERAGE';
/** Variables read by Node, its libraries and the system. */
const OF_EVERY_PROCESS = new RegExp(
  `^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\\w+|TZ|TMPDIR|TERM|NODE_(?:${OF_NODE})|UV_\\w+|SSL_CERT_\\w+|MALLOC_\\w+|LD_LIBRARY_PATH|SYSTEMROOT|TEMP|TMP)$`,
  'i',
);
/** A wrong name of ours reaches the service, which refuses to start with it. Those of clients hold credentials. */
const OWN_VARIABLE = /^SWITCHYARD_/;
const OF_CLIENTS = new Set(['SWITCHYARD_KEY', 'SWITCHYARD_TOKEN', 'SWITCHYARD_URL', 'SWITCHYARD_SPACE']);

export const isOfEveryProcess = (name: string): boolean =>
  OF_EVERY_PROCESS.test(name) || (OWN_VARIABLE.test(name) && !OF_CLIENTS.has(name));

/**
 * Variables for a service: those in its configuration. The model catalogue names the variables of upstream keys, and
 * may change at run time, so the relay also gets all variables that no other service's configuration names.
 */
export function environmentOf(
  service: string,
  environment: NodeJS.ProcessEnv,
  names: VariableNames = variableNames(),
): NodeJS.ProcessEnv {
  const own = new Set(names[service]);
  const ofOthers = new Set(Object.entries(names).flatMap(([name, list]) => (name === service ? [] : list)));
  const isNpms = (name: string): boolean => name.toLowerCase().startsWith('npm_');
  const isGiven = (name: string): boolean =>
    own.has(name) ||
    isOfEveryProcess(name) ||
    (service === 'relay' && !ofOthers.has(name) && !OF_CLIENTS.has(name) && !isNpms(name));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isGiven(name)));
}
