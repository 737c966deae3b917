import { spawnSync } from 'node:child_process';
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
  'apps/key/src/secrets/passwords.ts',
  'tools/backup/backup-command.ts',
])('git keeps %s', (file) => {
  expect(isIgnored(file)).toBe(false);
});

test('git ignores no file that is committed', () => {
  expect(git('ls-files', '--cached', '--ignored', '--exclude-standard').stdout).toBe('');
});
