import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonSchema } from '@switchyard/contracts';
import { runToEnd } from '../launcher/processes/transient';
import { projectRoot } from '../launcher/project-root';

const HEAD = '// Generated from the contracts; do not edit. After a change of the API: npm run generate\n';

/** The types of all bodies of the API. The client's methods are written by hand; a test compares them with the paths. */
export async function clientTypes(document: JsonSchema): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-types-'));
  const source = join(folder, 'openapi.json');
  const types = join(folder, 'types.ts');
  try {
    writeFileSync(source, JSON.stringify({ ...document, paths: {} }));
    await run(join(dirname(require.resolve('openapi-typescript/package.json')), 'bin/cli.js'), [
      source,
      '--alphabetize',
      '--default-non-nullable=false',
      '--output',
      types,
    ]);
    const text = readFileSync(types, 'utf8');
    const components = text.slice(text.indexOf('export interface components'), text.indexOf('export type $defs'));
    writeFileSync(types, HEAD + components);
    await run(join(dirname(require.resolve('oxfmt/package.json')), 'bin/oxfmt'), [
      '--config',
      join(projectRoot, '.oxfmtrc.json'),
      types,
    ]);
    return readFileSync(types, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function run(script: string, args: string[]): Promise<void> {
  const { code, stdout, stderr } = await runToEnd(process.execPath, [script, ...args]);
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${stdout}${stderr}`);
}
