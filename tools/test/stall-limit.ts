import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';
import { MALLOC_SETTINGS } from '../launcher/services/process-memory';
import { nodeFlags } from '../launcher/services/service-process';

/** The default of EVENT_LOOP_STALL_MS. */
export const USUAL_STALL_MS = 200;
/** Duration of the work on a 2.5 GHz CPU, where first use of memory is nearly free. */
const USUAL_WORK_MS = 80;
const MAX_TIMES = 4;

/** Longer where a service takes longer for the same work, and up to a bound. */
export const limitFor = (workMs: number): number =>
  Math.round(USUAL_STALL_MS * Math.min(MAX_TIMES, Math.max(1, workMs / USUAL_WORK_MS)));

/**
 * From how much processor time on a stall counts in the tests. On some machines, a page of memory that is used for the
 * first time costs a hundred times what it costs on others.
 */
export function stallLimitMs(): number {
  const script = path.join(projectRoot, 'dist/tools/test/carry-text.js');
  const env = { ...process.env, ...MALLOC_SETTINGS };
  const workMs = Number(execFileSync(process.execPath, [...nodeFlags, script], { env, encoding: 'utf8' }));
  const limitMs = limitFor(workMs);
  if (limitMs > USUAL_STALL_MS)
    console.log(
      `this machine takes ${workMs.toFixed(0)} ms for ${USUAL_WORK_MS} ms of work: stalls count from ${limitMs} ms`,
    );
  return limitMs;
}
