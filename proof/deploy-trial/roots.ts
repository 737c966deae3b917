import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { StopSentence } from '../../tools/launcher/stop-sentence';
import { must } from './must';

interface Root {
  suite: string;
  packages: readonly string[];
}

const ENGINE = ['docker.io', 'docker-cli', 'docker-compose', 'docker-buildx', 'containerd', 'runc', 'iptables', 'tini'];

/** Third-party images are built from Debian packages of the same programs. */
const ROOTS = {
  host: { suite: 'forky', packages: [...ENGINE, 'ca-certificates', 'iproute2', 'procps'] },
  node: { suite: 'bookworm', packages: ['ca-certificates'] },
  nats: { suite: 'forky', packages: ['nats-server'] },
  redis: { suite: 'bookworm', packages: ['redis-server'] },
  postgres: { suite: 'trixie', packages: ['postgresql-17', 'postgresql-17-pgvector', 'gosu'] },
} as const satisfies Record<string, Root>;

const LEAN = ['man', 'doc', 'locale'].map((part) => `--dpkgopt=path-exclude=/usr/share/${part}/*`);
// A mirror may be days behind.
const STALE = '--aptopt=Acquire::Check-Valid-Until "false"';
const OPTIONS = [STALE, '--quiet', '--variant=minbase', '--mode=root', '--aptopt=Acquire::Languages "none"', ...LEAN];

/** The archive that this machine takes its own packages from. */
function mirror(): string {
  const folder = '/etc/apt/sources.list.d';
  const files = ['/etc/apt/sources.list', ...readdirSync(folder).map((file) => path.join(folder, file))];
  for (const file of files) {
    let text = '';
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      continue;
    }
    const found = /^(?:URIs:\s*|deb\s+(?:\[[^\]]*\]\s+)?)(\S+\/debian)\/?(?:\s|$)/m.exec(text);
    if (found?.[1]) return found[1];
  }
  throw new StopSentence('No archive of Debian is named in /etc/apt: the trial takes all its programs from there.');
}

export async function makeRoots(folder: string): Promise<void> {
  const from = mirror();
  await Promise.all(
    Object.entries(ROOTS).map(([name, { suite, packages }]) =>
      must(['mmdebstrap', ...OPTIONS, `--include=${packages.join(',')}`, suite, path.join(folder, name), from]),
    ),
  );
}
