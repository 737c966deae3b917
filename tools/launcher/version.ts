import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project-root';

/** The version of the platform; every package, chart and overlay of the project has the same one. */
export const { version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
  version: string;
};
