import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeManifests } from '../deploy/write';
import { writeObservability } from '../observability/write';
import { configurationPage, exampleFile } from './configuration';

/** Writes what is made from the code: `npm run docs`. */
const root = process.cwd();
writeFileSync(join(root, 'docs/configuration.md'), configurationPage());
writeFileSync(join(root, '.env.example'), exampleFile());
writeManifests(root);
writeObservability(root);
