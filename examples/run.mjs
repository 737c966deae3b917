// `node examples/run.mjs chat`: builds and runs one of the examples.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { build } from '../tools/build/build.mjs';

const root = path.resolve(import.meta.dirname, '..');
const name = process.argv[2] ?? '';
const script = `examples/${name}.sh`;
process.chdir(root);
const command = existsSync(script) ? ['bash', script] : [process.execPath, `dist/examples/${name}.js`];
await build();
if (!existsSync(command[1])) {
  console.error(`There is no example called ${JSON.stringify(name)}. examples/README.md lists them.`);
  process.exit(1);
}
const child = spawn(command[0], command.slice(1), { stdio: 'inherit' });
child.on('close', (code) => process.exit(code ?? 1));
