import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../launcher/project-root';
import { generatedFiles } from './generated-files';

/** `npm run generate`: writes the files that follow from the contracts, in seconds and without servers. */
async function generate(): Promise<void> {
  for (const [file, text] of Object.entries(await generatedFiles())) {
    const isChanged = readFileSync(join(projectRoot, file), 'utf8') !== text;
    if (isChanged) writeFileSync(join(projectRoot, file), text);
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
