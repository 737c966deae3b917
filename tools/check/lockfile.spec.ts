import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';

interface LockedPackage {
  version?: string;
  resolved?: string;
  link?: boolean;
  integrity?: string;
  inBundle?: boolean;
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
}

const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');
const entriesOf = (file: string): [string, LockedPackage][] =>
  Object.entries((JSON.parse(read(file)) as { packages: Record<string, LockedPackage> }).packages);
const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? path;

const entries = entriesOf('package-lock.json');
/** Packages from a registry, without our own workspaces. */
const fetched = entries.filter(([, { link }]) => !link);
const names = new Set(entries.map(([path]) => nameOf(path)));
const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };

describe('the lockfile', () => {
  // npm leaves them out when it locks what is installed already, and `npm ci` then refuses the lockfile.
  it('names the optional packages of every platform', () => {
    const optional = entries.flatMap(([, entry]) => Object.keys(entry.optionalDependencies ?? {}));
    expect(optional.filter((name) => !names.has(name))).toEqual([]);
  });

  it('pins a version of everything', () => {
    const unpinned = fetched.filter(([, entry]) => !entry.version);
    expect(unpinned.map(([path]) => path)).toEqual([]);
  });

  it('names no registry', () => {
    expect(fetched.filter(([, entry]) => entry.resolved)).toEqual([]);
  });

  it.each(['package-lock.json', 'tools/mcp-tools/package-lock.json'])(
    '%s has the integrity of every package',
    (file) => {
      // Bundled packages are covered by the integrity of their parent.
      const unchecked = entriesOf(file).filter(
        ([path, { integrity, link, inBundle }]) => path.includes('node_modules/') && !integrity && !link && !inBundle,
      );
      expect(unchecked.map(([path]) => path)).toEqual([]);
    },
  );
});

describe('install scripts of packages', () => {
  it('are off', () => {
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  });

  it('are named in package.json, each with what was decided', () => {
    const withScripts = entries.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path));
    expect([...new Set(withScripts)].sort()).toEqual(Object.keys(allowScripts).sort());
  });

  it('are needed by none: with ignore-scripts npm would not run an allowed one either', () => {
    expect(Object.values(allowScripts)).not.toContain(true);
  });
});
