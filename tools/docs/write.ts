import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestFiles } from '../deploy/kubernetes/rendered';
import { writeObservability } from '../observability/write';
import type { BenchRecord } from '../../proof/bench/record';
import { configurationPage, exampleFile } from './configuration';
import { noticesPage } from './notices';
import { plansPage } from './plans';
import { platformEventsPage } from './platform-events';
import { speedPage } from './speed';

/** Writes what is made from the code: `npm run docs`. */
const root = process.cwd();
writeFileSync(join(root, 'docs/reference/configuration.md'), configurationPage());
writeFileSync(join(root, '.env.example'), exampleFile());
writeFileSync(join(root, 'THIRD-PARTY-NOTICES.md'), noticesPage());
const record = JSON.parse(readFileSync(join(root, 'proof/bench/record.json'), 'utf8')) as BenchRecord;
writeFileSync(join(root, 'docs/evidence/speed.md'), speedPage(record));
writeFileSync(join(root, 'docs/evidence/plans.md'), plansPage(record));
writeFileSync(join(root, 'docs/reference/platform-events.md'), platformEventsPage());
execFileSync(join(root, 'node_modules/.bin/oxfmt'), ['docs/reference/platform-events.md']);
writeObservability(root);
for (const [file, text] of Object.entries(manifestFiles())) writeFileSync(join(root, file), text);
