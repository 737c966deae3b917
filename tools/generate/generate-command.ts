import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../launcher/project-root';
import { generatedFiles, OPENAPI_DOCUMENT } from './generated-files';
import { RELEASED_API, withoutProse } from './released-api';

/**
 * `npm run generate`: writes the files that follow from the contracts, in seconds and without servers. `--released`: the
 * committed OpenAPI document becomes the one that later changes are compared with.
 */
async function generate(): Promise<void> {
  if (process.argv.includes('--released')) {
    const document: unknown = JSON.parse(readFileSync(join(projectRoot, OPENAPI_DOCUMENT), 'utf8'));
    writeFileSync(join(projectRoot, RELEASED_API), `${JSON.stringify(withoutProse(document))}\n`);
    return;
  }
  for (const [file, text] of Object.entries(await generatedFiles())) {
    const path = join(projectRoot, file);
    const isChanged = !existsSync(path) || readFileSync(path, 'utf8') !== text;
    if (isChanged) writeFileSync(path, text);
    console.log(`${isChanged ? 'written  ' : 'unchanged'} ${file}`);
  }
}

generate().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
