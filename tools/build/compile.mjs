import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { outputsOf } from './sources.mjs';

/** How the compiler passes a name on for `export *`: it is looked up in the other module again at each use. */
const lookedUp =
  /Object\.defineProperty\(to, k, \{\s*enumerable: true,\s*get: function\(\) \{\s*return from\[k\];\s*\}\s*\}\);/;
const handedOver = 'Object.defineProperty(to, k, Object.getOwnPropertyDescriptor(from, k));';
const aliasPattern = /require\("@switchyard\/([a-z-]+)"\)/g;

/** The outputs of one source, as [path under dist, content]. What is not TypeScript is carried over as it is. */
export async function compile(root, file, text) {
  if (!file.endsWith('.ts')) return [[file, text]];
  const { transform } = await swc();
  const { code, map } = await transform(text.toString('utf8'), {
    filename: path.join(root, file),
    sourceFileName: path.relative(path.join(root, 'dist', path.dirname(file)), path.join(root, file)),
    configFile: path.join(root, '.swcrc'),
    cwd: root,
  });
  const [scriptFile, mapFile] = outputsOf(file);
  const script = withNamesHandedOver(file, code).replace(
    aliasPattern,
    (_, library) => `require("${relativeLibrary(file, library)}")`,
  );
  return [
    [scriptFile, `${script}\n//# sourceMappingURL=${path.basename(mapFile)}\n`],
    [mapFile, map ?? '{}'],
  ];
}

/**
 * Every call of a function of another library goes through such a name. As the compiler writes it V8 cannot see through
 * it, which was a twentieth of what the gateway and the services did; the own getter of a module it can.
 */
function withNamesHandedOver(file, code) {
  if (!code.includes('function _export_star(')) return code;
  if (!lookedUp.test(code))
    throw new Error(`${file}: the compiler writes \`export *\` otherwise than this build knows`);
  return code.replace(lookedUp, handedOver);
}

/** Changes when the compiler, its settings or this folder change: then everything is compiled again. */
export async function compilerFingerprint(root) {
  const hash = createHash('sha256');
  const inputs = [
    '.swcrc',
    'tools/build/compile.mjs',
    'tools/build/sources.mjs',
    'node_modules/@swc/core/package.json',
  ];
  for (const input of inputs) hash.update(await readFile(path.join(root, input)));
  return hash.digest('base64url');
}

function relativeLibrary(file, library) {
  const relative = path.posix.relative(path.posix.dirname(file), `libs/${library}/src/index.js`);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

// Loaded only when something must be compiled: loading it costs more than checking that nothing changed.
function swc() {
  return import('@swc/core');
}
