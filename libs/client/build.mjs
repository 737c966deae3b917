// Compiles the package twice: for `import` and for `require`. Types come with both.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const dist = path.join(here, 'dist');

const compile = (folder, type, ...options) => {
  const outDir = path.join(dist, folder);
  execFileSync(process.execPath, [tsc, '-p', path.join(here, 'tsconfig.build.json'), '--outDir', outDir, ...options], {
    stdio: 'inherit',
  });
  writeFileSync(path.join(outDir, 'package.json'), `${JSON.stringify({ type })}\n`);
  return outDir;
};

/** Modules of the web name files, not stems. */
const nameFiles = (folder) => {
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!/\.(js|d\.ts)$/.test(file)) continue;
    const whole = path.join(folder, file);
    const text = readFileSync(whole, 'utf8');
    writeFileSync(whole, text.replaceAll(/(from\s+|import\()(['"])(\.{1,2}\/[^'"]+?)(?<!\.js)\2/g, '$1$2$3.js$2'));
  }
};

rmSync(dist, { recursive: true, force: true });
compile('cjs', 'commonjs');
nameFiles(compile('esm', 'module', '--module', 'esnext', '--moduleResolution', 'bundler'));
