import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';

interface Finding {
  code: string;
  filename: string;
}

const service = 'apps/job/src/plant.ts';
const configuration = 'apps/job/src/plant.spec.ts';
const screen = 'apps/console/src/plant.tsx';

/** One violation per file; this test exists for the rules that need types. */
const files: Record<string, string> = {
  [service]: `
    import { forwardRef } from '@nestjs/common';
    export async function work(): Promise<void> { await Promise.resolve(); }
    export function run(): void { work(); console.log(process.env, forwardRef); }
    export const copy = (given: object): object => Object.assign({}, given);
    export const told = (given: { name: string }): string => (given?.name == 'x' ? String({}) : given!.name);
    export const read = (text: string): string => JSON.parse(text).name;
  `,
  [configuration]: `
    export const home = process.env['HOME'];
    export const copy = (given: object): object => Object.assign({}, given);
    export const read = (text: string): string => JSON.parse(text).name;
  `,
  [screen]: `
    export const Text = ({ html }: { html: string }) => <p dangerouslySetInnerHTML={{ __html: html }} />;
    export const ask = () => fetch('/api');
    export function keep(): void { ask(); localStorage.clear(); }
  `,
};

let findings: Map<string, string[]>;

beforeAll(() => {
  const house = mkdtempSync(path.join(os.tmpdir(), 'switchyard-lint-'));
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(house, file)), { recursive: true });
      writeFileSync(path.join(house, file), text);
    }
    const options = { strict: true, jsx: 'react-jsx', lib: ['ES2023', 'DOM'], types: ['node'] };
    writeFileSync(path.join(house, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['apps'] }));
    // Its patterns count from where it lies.
    copyFileSync(path.join(projectRoot, '.oxlintrc.jsonc'), path.join(house, '.oxlintrc.jsonc'));
    symlinkSync(path.join(projectRoot, 'node_modules'), path.join(house, 'node_modules'));
    findings = findingsIn(house);
  } finally {
    rmSync(house, { recursive: true, force: true });
  }
});

function findingsIn(house: string): Map<string, string[]> {
  const command = [path.join(projectRoot, 'node_modules/oxlint/bin/oxlint'), '--format=json', 'apps'];
  const options = { cwd: house, stdio: ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'] };
  let text = '';
  try {
    execFileSync(process.execPath, command, options);
  } catch (error) {
    text = String((error as { stdout: Buffer }).stdout);
  }
  const { diagnostics } = JSON.parse(text) as { diagnostics: Finding[] };
  const found = new Map<string, string[]>();
  for (const { filename, code } of diagnostics) found.set(filename, [...(found.get(filename) ?? []), code].sort());
  return found;
}

it('finds in a service what it may not do', () => {
  expect(findings.get(service)).toEqual([
    'eslint(eqeqeq)',
    'eslint(no-console)',
    'eslint(no-restricted-imports)',
    'eslint(no-restricted-properties)',
    'eslint(no-restricted-properties)',
    'typescript(no-base-to-string)',
    'typescript(no-floating-promises)',
    'typescript(no-non-null-assertion)',
    'typescript(no-unnecessary-condition)',
    'typescript(no-unnecessary-type-assertion)',
    'typescript(no-unsafe-member-access)',
    'typescript(no-unsafe-return)',
  ]);
});

it('lets tests read the environment and untyped answers', () => {
  expect(findings.get(configuration)).toEqual(['eslint(no-restricted-properties)']);
});

it('finds in the console what only the console may not do', () => {
  expect(findings.get(screen)).toEqual([
    'eslint(no-restricted-globals)',
    'eslint(no-restricted-globals)',
    'react(no-danger)',
    'typescript(no-floating-promises)',
  ]);
});
