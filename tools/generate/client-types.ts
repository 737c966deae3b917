import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonSchema } from '@switchyard/contracts';
import { formatted, inFolder, runScript } from './formatted';

const HEAD = '// Generated from the contracts; do not edit. After a change of the API: npm run generate\n';

/** The types of all bodies of the API. The client's methods are written by hand; a test compares them with the paths. */
export async function clientTypes(document: JsonSchema): Promise<string> {
  const components = await inFolder(async (folder) => {
    const source = join(folder, 'openapi.json');
    const types = join(folder, 'types.ts');
    const { schemas } = document['components'] as { schemas: JsonSchema };
    writeFileSync(source, JSON.stringify({ ...document, paths: {}, components: { schemas } }));
    const generator = join(dirname(require.resolve('openapi-typescript/package.json')), 'bin/cli.js');
    await runScript(generator, [source, '--alphabetize', '--default-non-nullable=false', '--output', types]);
    const text = readFileSync(types, 'utf8');
    return text.slice(text.indexOf('export interface components'), text.indexOf('export type $defs'));
  });
  return formatted('types.ts', HEAD + components);
}
