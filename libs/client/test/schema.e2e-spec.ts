import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { usePlatform } from '@switchyard/testing';

const platform = usePlatform();
const FILE = join(__dirname, '../src/api/schema.ts');
const CONFIG = join(__dirname, '../../../.oxfmtrc.json');
const HEAD = `// Made from the OpenAPI document; do not edit. After a change of the API:
// SWITCHYARD_TEST_UPDATE=1 node tools/test.mjs libs/client/test/schema
`;

const run = (script: string, ...args: string[]): Promise<{ stdout: string }> =>
  promisify(execFile)(process.execPath, [script, ...args]);

/** Of what travels; the methods are written by hand, and held to the paths of the document elsewhere. */
async function typesOf(document: object): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-types-'));
  const file = join(folder, 'openapi.json');
  const generator = join(dirname(require.resolve('openapi-typescript/package.json')), 'bin/cli.js');
  const formatter = join(dirname(require.resolve('oxfmt/package.json')), 'bin/oxfmt');
  try {
    writeFileSync(file, JSON.stringify({ ...document, paths: {} }));
    const types = join(folder, 'types.ts');
    await run(generator, file, '--alphabetize', '--default-non-nullable=false', '--output', types);
    const text = readFileSync(types, 'utf8');
    writeFileSync(
      types,
      HEAD + text.slice(text.indexOf('export interface components'), text.indexOf('export type $defs')),
    );
    await run(formatter, '--config', CONFIG, types);
    return readFileSync(types, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('has the types of the OpenAPI document as it is', async () => {
  const text = await typesOf((await platform.anonymous.raw('GET', '/openapi.json')).body as object);
  if (process.env.SWITCHYARD_TEST_UPDATE) writeFileSync(FILE, text);
  expect(existsSync(FILE) ? readFileSync(FILE, 'utf8') : '').toBe(text);
});
