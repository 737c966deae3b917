import { execFile } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type UsersFileFacts, readUsersFile, usersFile } from '../../libs/messaging/src/nats-api/users-file';
import { StopSentence } from '../launcher/stop-sentence';
import type { LoadedAccounts } from './operator-api';

const run = promisify(execFile);
const RELOAD_WITHIN_MS = 10_000;
const POLL_MS = 50;
/** Fewer users than these may all go at once. */
const FEW = 4;

export interface ServicesServer {
  /** The file of users that the configuration includes. */
  usersFile: string;
  configFile: string;
  pidFile: string;
  /** The `nats-server` that checks a new file; without it the program of the running server. */
  binary?: string | undefined;
  /** The public key of the platform's own user; without it the one in the file. */
  platformKey?: string;
}

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

export const usersIn = (server: ServicesServer): UsersFileFacts => readUsersFile(textOf(server.usersFile));

/** Writes the users beside the file, checks them, puts them in its place and has the server load them. */
export async function applyUsers(
  server: ServicesServer,
  { revision, users }: LoadedAccounts,
  { force = false }: { force?: boolean } = {},
): Promise<void> {
  const before = usersIn(server);
  const platformKey = server.platformKey ?? before.platform;
  if (!platformKey)
    throw new StopSentence(`${server.usersFile} does not name the platform's own user. Use --platform-key.`);
  const text = usersFile(revision, users, platformKey);
  // Of the text, which leaves out damaged accounts.
  const after = readUsersFile(text);
  if (!force && before.users >= FEW && after.users < before.users / 2)
    throw new StopSentence(
      `Only ${after.users} of ${before.users} users would be left: nothing was changed. Use --force if that is right.`,
    );
  const fresh = `${server.usersFile}.new`;
  writeFileSync(fresh, text, { mode: 0o600 });
  await check(server, fresh);
  renameSync(fresh, server.usersFile);
  await reload(server);
}

/** The configuration with the new file in the place of the old one. */
async function check({ configFile, usersFile: file, pidFile, binary }: ServicesServer, fresh: string): Promise<void> {
  const tried = `${configFile}.new`;
  const text = readFileSync(configFile, 'utf8').replaceAll(path.basename(file), path.basename(fresh));
  writeFileSync(tried, text, { mode: 0o600 });
  try {
    await run(binary ?? `/proc/${serverIn(pidFile)}/exe`, ['-t', '-c', tried], { timeout: 30_000 });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new StopSentence(`nats-server refuses the new users, nothing was changed: ${stderr.trim() || message}`);
  } finally {
    rmSync(tried, { force: true });
  }
}

/** In a container the server may be the first process; elsewhere that one gets no signals. */
function serverIn(pidFile: string): number {
  const pid = Number(textOf(pidFile).trim());
  const isServer = pid > 1 || (pid === 1 && textOf('/proc/1/comm').trim() === 'nats-server');
  if (!Number.isSafeInteger(pid) || !isServer) throw new StopSentence(`${pidFile} holds no process id.`);
  return pid;
}

/** Waits until the server says that it has loaded its configuration, where it has monitoring. */
export async function reload({ configFile, pidFile }: ServicesServer): Promise<void> {
  const pid = serverIn(pidFile);
  const monitor = monitorOf(configFile);
  const before = monitor === null ? null : await loadedAt(monitor);
  try {
    process.kill(pid, 'SIGHUP');
  } catch {
    throw new StopSentence(`No nats-server runs as process ${pid} (${pidFile}).`);
  }
  if (monitor === null) {
    await sleep(1_000);
    return;
  }
  const end = Date.now() + RELOAD_WITHIN_MS;
  while (Date.now() < end) {
    await sleep(POLL_MS);
    const now = await loadedAt(monitor);
    if (now !== null && now !== before) return;
  }
  throw new StopSentence('nats-server did not load its new users. Its log says why.');
}

const MONITOR = /^http: "([^"]+)"$/m;

const monitorOf = (configFile: string): string | null => MONITOR.exec(textOf(configFile))?.[1] ?? null;

async function loadedAt(monitor: string): Promise<string | null> {
  try {
    const answer = await fetch(`http://${monitor}/varz`, { signal: AbortSignal.timeout(2_000) });
    return ((await answer.json()) as { config_load_time?: string }).config_load_time ?? null;
  } catch {
    return null;
  }
}
