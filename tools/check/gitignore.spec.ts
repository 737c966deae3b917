import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';

const git = (...args: string[]): { status: number | null; stdout: string } =>
  spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' });

const isIgnored = (file: string): boolean => git('check-ignore', '--quiet', '--no-index', file).status === 0;

const secretFiles = [
  '.env',
  '.env.production',
  'secrets/secrets.json',
  'secrets/nats-operator.nk',
  'backup/switchyard.dump',
  'models.yaml',
  'models/models.yaml',
  '.switchyard/secrets.json',
  'deploy/k8s/overlays/dev/secrets/key.env',
];

test.each(secretFiles)('git ignores %s, which holds secrets or data of an installation', (file) => {
  expect(isIgnored(file)).toBe(true);
});

test.each([
  '.env.example',
  'models.example.yaml',
  'apps/key/src/secrets/password-hashing.ts',
  'tools/backup/backup-command.ts',
])('git keeps %s', (file) => {
  expect(isIgnored(file)).toBe(false);
});

test('git ignores no file that is committed', () => {
  expect(git('ls-files', '--cached', '--ignored', '--exclude-standard').stdout).toBe('');
});

const pages = [
  'README.md',
  ...readdirSync(path.join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
];

/**
 * Files that commands of the documents write into the folder where they run, and those that operators are to put there.
 */
function writtenByDocuments(): string[] {
  const shell = pages.flatMap((page) =>
    [
      ...readFileSync(path.join(projectRoot, page), 'utf8').matchAll(
        /^ *```(?:sh|bash|shell)\b[^\n]*\n([^]*?)^ *```/gm,
      ),
    ].map(([, text = '']) => text),
  );
  const written = shell.flatMap((text) => [
    ...[...text.matchAll(/(?<![-=<])> ?([\w.-]+\.(?:json|csv|ndjson|env|dump|nk))(?=\s|$)/gm)].map(
      ([, file = '']) => file,
    ),
    ...[...text.matchAll(/^\s*cp \S+ ([\w./-]+)$/gm)].map(([, file = '']) => file),
    ...[...text.matchAll(/kubernetes-secrets\.js (\S+)/g)].map(([, folder = '']) => path.join(folder, 'key.env')),
  ]);
  return [...new Set([...written, ...secretFiles])].filter((file) => !file.startsWith('/') && !file.endsWith('/'));
}

test('after all commands of the documents, `git add -A` adds no file that they have written', () => {
  const clone = mkdtempSync(path.join(tmpdir(), 'documents-'));
  try {
    const inClone = (...args: string[]): string => spawnSync('git', args, { cwd: clone, encoding: 'utf8' }).stdout;
    inClone('init', '--quiet');
    for (const file of ['.gitignore', 'models/.gitignore']) {
      mkdirSync(path.dirname(path.join(clone, file)), { recursive: true });
      cpSync(path.join(projectRoot, file), path.join(clone, file));
    }
    const written = writtenByDocuments();
    expect(written).toEqual(
      expect.arrayContaining(['tokens.json', 'key.json', 'models/models.yaml', 'secrets/key.env']),
    );
    for (const file of written) {
      mkdirSync(path.dirname(path.join(clone, file)), { recursive: true });
      writeFileSync(path.join(clone, file), 'a secret');
    }
    expect(inClone('add', '-A', '-n').trim().split('\n').sort()).toEqual([
      "add '.gitignore'",
      "add 'models/.gitignore'",
    ]);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
});

test('git ignores the programs that the README and the guides tell readers to save', () => {
  const pages = git('ls-files', 'README.md', 'docs/*.md').stdout.trim().split('\n');
  const texts = pages.map((page) => readFileSync(path.join(projectRoot, page), 'utf8'));
  const programs = texts.flatMap((text) =>
    [...text.matchAll(/\bsave\b[^.\n]*\bas `([\w-]+\.mts)`/gi)].map(([, name]) => name),
  );
  expect(programs).toContain('first.mts');
  expect([...new Set(programs)].filter((name) => name === undefined || !isIgnored(name))).toEqual([]);
});
