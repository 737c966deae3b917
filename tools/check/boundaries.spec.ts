import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';
import { allowedFiles, companions, packages, plants } from './boundary-plants';

interface Violation {
  rule: { name: string };
  from: string;
}

/** They name the folder. */
const OF_FOLDERS = ['no-circles-of-folders', 'no-circles-of-inner-folders'];
const config = path.join(projectRoot, '.dependency-cruiser.cjs');
const rules = jest.requireActual<{ forbidden: { name: string }[] }>(config).forbidden.map(({ name }) => name);

/** A small house with the same floor plan, in which the real rules are applied. */
function violationsIn(files: Record<string, string>): Violation[] {
  const house = mkdtempSync(path.join(os.tmpdir(), 'switchyard-boundaries-'));
  try {
    const write = (file: string, text: string): void => {
      mkdirSync(path.dirname(path.join(house, file)), { recursive: true });
      writeFileSync(path.join(house, file), text);
    };
    write(
      'package.json',
      JSON.stringify({ dependencies: Object.fromEntries(packages.map((name) => [name, '1.0.0'])) }),
    );
    write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { paths: { '@switchyard/*': ['./libs/*/src/index.ts'] } } }),
    );
    for (const name of packages) {
      write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
      write(`node_modules/${name}/index.js`, 'module.exports = {};');
    }
    for (const [file, text] of Object.entries(files)) write(file, text);
    const command = [path.join(projectRoot, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')];
    const args = ['apps', 'libs', 'tools', '--config', config, '--output-type', 'json'];
    const output = execFileSync(process.execPath, [...command, ...args], { cwd: house, maxBuffer: 64 * 1024 * 1024 });
    return (JSON.parse(output.toString('utf8')) as { summary: { violations: Violation[] } }).summary.violations;
  } finally {
    rmSync(house, { recursive: true, force: true });
  }
}

describe('the directions between the parts of the house', () => {
  it('allows what the floor plan allows', () => {
    expect(violationsIn(allowedFiles)).toEqual([]);
  });

  describe('catch a planted violation of each', () => {
    let violations: Violation[];

    beforeAll(() => {
      const planted = Object.fromEntries(plants.map(({ file, text }) => [file, text]));
      violations = violationsIn({ ...allowedFiles, ...companions, ...planted });
    });

    it.each(plants.map(({ rule, file }) => [rule, file]))('%s, in %s', (rule, file) => {
      expect(violations).toContainEqual(
        expect.objectContaining({
          from: OF_FOLDERS.includes(rule) ? path.dirname(file) : file,
          rule: expect.objectContaining({ name: rule }),
        }),
      );
    });
  });

  it.each(rules)('%s has a plant', (rule) => {
    expect(plants.map((plant) => plant.rule)).toContain(rule);
  });
});
