import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LoggedCall } from '@switchyard/testing';
import { projectRoot } from '../launcher/project-root';
import { rowsFrom, unproven, writeDocument } from './coverage-document';
import { documentedRoutes } from './routes';

const lines = readFileSync(process.argv[2] ?? '', 'utf8')
  .trim()
  .split('\n');
const calls = lines.map((line) => JSON.parse(line) as LoggedCall);
const routes = documentedRoutes();
const rows = rowsFrom(calls, routes, projectRoot);
const missing = unproven(rows, routes);
writeFileSync(path.join(projectRoot, 'docs/api-coverage.md'), writeDocument(rows, missing));
console.log(`docs/api-coverage.md: ${rows.length} rows, ${missing.length} missing`);
for (const place of missing) console.log(`  no test sees ${place}`);
process.exit(0);
