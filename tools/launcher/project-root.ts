import { existsSync } from 'node:fs';
import path from 'node:path';

/** The folder that holds package.json, whether this runs from dist/ or from the sources. */
export const projectRoot = ((): string => {
  let directory = __dirname;
  while (!existsSync(path.join(directory, 'package-lock.json'))) {
    const parent = path.dirname(directory);
    if (parent === directory) return process.cwd();
    directory = parent;
  }
  return directory;
})();
