import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';

interface Entry {
  version?: string;
  resolved?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
}

const lockfile = JSON.parse(readFileSync(path.join(projectRoot, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>;
};
/** What comes from a registry: not our own workspaces. */
const fetched = Object.entries(lockfile.packages).filter(([, { link }]) => !link);
const names = new Set(Object.keys(lockfile.packages).map((place) => place.split('node_modules/').at(-1)));

describe('the lockfile', () => {
  // npm leaves them out when it locks what is installed already, and `npm ci` then refuses the lockfile.
  it('names the optional packages of every platform', () => {
    const optional = Object.values(lockfile.packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
    expect(optional.filter((name) => !names.has(name))).toEqual([]);
  });

  it('pins a version of everything', () => {
    const unpinned = fetched.filter(([, entry]) => !entry.version);
    expect(unpinned.map(([place]) => place)).toEqual([]);
  });

  it('names no registry', () => {
    expect(fetched.filter(([, entry]) => entry.resolved)).toEqual([]);
  });
});
