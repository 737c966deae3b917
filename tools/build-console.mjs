// `npm run build:console`: the console into dist/console. Plain JavaScript, as `tools/build.mjs` is.
import path from 'node:path';
import { buildConsole } from './build/console.mjs';

const isBuilt = await buildConsole(path.resolve(import.meta.dirname, '..'), {
  force: !process.argv.includes('--stale'),
});
process.exitCode = isBuilt ? 0 : 1;
