import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../launcher/project-root';
import { generatedFiles } from './generated-files';

it('matches the contracts: after a change of the API, npm run generate writes them, and the diff is reviewed', async () => {
  for (const [file, text] of Object.entries(await generatedFiles()))
    expect({ file, text: readFileSync(join(projectRoot, file), 'utf8') }).toEqual({ file, text });
}, 60_000);
