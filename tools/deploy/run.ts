import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Runs one service of a deployment that keeps its environment in a file of its own:
 *
 *   node dist/tools/deploy/run.js gateway      reads /run/switchyard/gateway.json, or the folder in SECRETS_FOLDER
 *
 * What the container's own environment sets wins.
 */
const service = process.argv[2] ?? '';
const file = path.join(process.env.SECRETS_FOLDER ?? '/run/switchyard', `${service}.json`);
const stored = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
for (const [name, value] of Object.entries(stored)) process.env[name] ??= value;
process.argv.splice(2, 1);
void import(path.join(__dirname, `../../apps/${service}/src/main.js`));
