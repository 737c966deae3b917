import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../launcher/project-root';
import { generatedFiles } from './generated-files';

/** `npm run generate`: writes the files that follow from the contracts, in seconds and without servers. */
async function generate(): Promise<void> {
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
