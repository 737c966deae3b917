import path from 'node:path';
import { runToEnd } from '../processes/transient';
import { projectRoot } from '../project-root';
import { StopSentence } from '../stop-sentence';

/** Runs one preparation as a process of its own: input as JSON on its stdin, its answer from its stdout. */
export async function runStep(name: string, what: string, input: object): Promise<string> {
  const script = path.join(projectRoot, 'dist/tools/launcher/preparation', `${name}.js`);
  const outcome = await runToEnd(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--enable-source-maps', script],
    { cwd: projectRoot, input: JSON.stringify(input) },
  );
  if (outcome.code === 0) return outcome.stdout;
  throw new StopSentence(`Could not ${what}:\n${outcome.stderr.trim() || `the step ended with code ${outcome.code}`}`);
}
