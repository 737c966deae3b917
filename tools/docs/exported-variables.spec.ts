import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ConfigError, ServiceConfig, readConfig } from '@switchyard/service';
import { projectRoot } from '../launcher/project-root';

const filesIn = (folder: string): string[] =>
  readdirSync(path.join(projectRoot, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:md|ts|sh|mjs|py)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Variables of our prefix that a reader of the documentation or the examples may have exported. */
const exported = [
  ...new Set(
    [path.join(projectRoot, 'README.md'), ...filesIn('docs'), ...filesIn('examples')].flatMap(
      (file) => readFileSync(file, 'utf8').match(/\bSWITCHYARD_[A-Z_]*[A-Z]\b/g) ?? [],
    ),
  ),
].sort();

const problemsWith = (env: NodeJS.ProcessEnv): string[] => {
  try {
    readConfig(ServiceConfig, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.filter((problem) => problem.includes('is not a variable'));
    throw error;
  }
};

test('the documentation and the examples export variables', () => {
  expect(exported).toEqual(expect.arrayContaining(['SWITCHYARD_KEY', 'SWITCHYARD_URL']));
});

test.each(exported)('a platform starts in a shell that has exported %s', (name) => {
  expect(problemsWith({ [name]: 'x' })).toEqual([]);
});

test('a name that nothing reads is refused', () => {
  expect(problemsWith({ SWITCHYARD_KEYS: 'x' })).toEqual(['SWITCHYARD_KEYS is not a variable of this service']);
});
