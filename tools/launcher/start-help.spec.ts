import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from './project-root';
import { SERVICES } from './service-names';

const helpIn = (root: string): string =>
  execFileSync(process.execPath, [path.join(root, 'tools/start.mjs'), '--help'], { encoding: 'utf8' });
const servicesIn = (help: string): string[] => /--only.*\((.*)\)/.exec(help)?.[1]?.split(', ') ?? [];

describe('the help of npm start', () => {
  it('names all services', () => {
    expect(servicesIn(helpIn(projectRoot))).toEqual([...SERVICES].sort());
  });

  it('is there without anything installed or built, and installs nothing', () => {
    const root = mkdtempSync(path.join(tmpdir(), 'switchyard-help-'));
    try {
      for (const part of ['start.mjs', 'launcher', 'build'])
        cpSync(path.join(projectRoot, 'tools', part), path.join(root, 'tools', part), { recursive: true });
      mkdirSync(path.join(root, 'apps/only/src'), { recursive: true });
      writeFileSync(path.join(root, 'apps/only/src/main.ts'), '');
      expect(servicesIn(helpIn(root))).toEqual(['only']);
      expect(readdirSync(root).sort()).toEqual(['apps', 'tools']);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
