import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';
import { MALLOC_SETTINGS } from '../launcher/services/process-memory';
import { nodeFlags } from '../launcher/services/service-process';

/** What the work takes of a processor of 2.5 GHz, where memory that is used for the first time costs next to nothing. */
const USUAL_MS = 80;

/**
 * How many times as much processor time a service takes here for the same work, 1 at least: on some machines, a page of
 * memory costs a hundred times what it costs on others.
 */
export function machineSlowness(): number {
  const script = path.join(projectRoot, 'dist/tools/test/carry-text.js');
  const env = { ...process.env, ...MALLOC_SETTINGS };
  const ms = Number(execFileSync(process.execPath, [...nodeFlags, script], { env, encoding: 'utf8' }));
  return Math.max(1, ms / USUAL_MS);
}
