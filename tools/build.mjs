// Compiles apps, libs and tools into dist/, mirroring the tree. Incremental: only what changed since the last run is
// compiled again, and what no longer has a source is removed. Plain JavaScript, because it runs before anything is built.
import { build } from './build/build.mjs';

const force = process.argv.includes('--force');
const result = await build({ force });
for (const failure of result.failures) console.error(`${failure.file}: ${failure.message}\n`);
if (!process.argv.includes('--quiet') || result.failures.length > 0) console.log(result.summary);
process.exitCode = result.failures.length > 0 ? 1 : 0;
