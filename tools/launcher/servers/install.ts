import { existsSync } from 'node:fs';
import { type Outcome, runToEnd } from '../processes/transient';
import type { Progress } from '../progress';
import { StopSentence } from '../stop-sentence';
import { type BinaryName, findBinary, packageOf } from './binaries';

/** Paths of the binaries. Missing ones are installed if allowed, otherwise an error says how to install them. */
export async function provideBinaries<N extends BinaryName>(
  names: readonly N[],
  options: { install: boolean; progress: Progress },
): Promise<Record<N, string>> {
  const missing = names.filter((name) => !findBinary(name));
  const packages = [...new Set(missing.map((name) => packageOf[name]))];
  if (packages.length > 0) await installPackages(packages, options);
  return Object.fromEntries(names.map((name) => [name, findBinary(name) ?? cannotFind(name)])) as Record<N, string>;
}

export async function installPackages(
  packages: string[],
  options: { install: boolean; progress: Progress },
): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  if (!existsSync('/usr/bin/apt-get') || !(isRoot || options.install)) throw new StopSentence(whatToInstall(packages));
  const sudo = isRoot ? [] : ['sudo', '-n'];
  options.progress.step(`installing ${packages.join(', ')} with apt`);
  const lists = await run([...sudo, 'apt-get', 'update', '-qq'], options.progress);
  if (lists.code !== 0) options.progress.note('apt-get update failed; trying with the package lists that are there');
  const installed = await run([...sudo, 'sh', '-c', installScript, 'install', ...packages], options.progress);
  if (installed.code !== 0) {
    throw new StopSentence(
      `apt could not install ${packages.join(', ')}: ${lastLine(installed.stderr)}\n${whatToInstall(packages)}`,
    );
  }
}

// Debian starts and enables what it installs. Ours are private instances, so a policy forbids the start meanwhile, and
// what was not there before is not left enabled for the next boot.
const installScript = `
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\\nexit 101\\n' >"$policy"
  chmod 755 "$policy"
  trap 'rm -f "$policy"' EXIT
fi
export DEBIAN_FRONTEND=noninteractive
apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=120 "$@" || exit 1
if [ -d /run/systemd/system ]; then systemctl disable --quiet "$@" || true; fi
`;

function run(command: string[], progress: Progress): Promise<Outcome> {
  const [file = '', ...args] = command;
  const startedAt = Date.now();
  const ticker = setInterval(() => {
    progress.note(`still installing, ${Math.round((Date.now() - startedAt) / 1000)} s`);
  }, 15_000);
  return runToEnd(file, args).finally(() => clearInterval(ticker));
}

function whatToInstall(packages: string[]): string {
  return (
    `Missing on this machine: ${packages.join(', ')}. ` +
    `Install with \`sudo apt-get install ${packages.join(' ')}\` (or start again with --install), ` +
    'point DATABASE_URL, NATS_URL and REDIS_URL at servers that run already, or use `docker compose up`.'
  );
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

function cannotFind(name: BinaryName): never {
  throw new StopSentence(`${name} cannot be found even after installing it. ${whatToInstall([packageOf[name]])}`);
}
