import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compareAnswer } from './compare-answer';
import { type Block, examplesOf } from './page';
import { openScript } from './script';
import { hasPython, runPython } from './python';
import type { BlockOutput } from './session';
import { openShell } from './shell';

/** Runs the examples of a page from top to bottom, as a reader does, and fails where the reader would be stuck. */
export async function runPage(markdown: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const blocks = examplesOf(markdown);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'switchyard-page-'));
  const shell = openShell(folder, environment);
  const typed = blocks.filter(({ language }) => language === 'ts').map(({ code }) => code);
  const script = typed.length > 0 ? openScript(typed, environment) : undefined;
  const run = ({ language, code }: Block): Promise<BlockOutput> | undefined => {
    if (language === 'sh') return shell.run(code);
    return language === 'python' ? runPython(shell, folder, code) : script?.next(shell.environment());
  };
  try {
    await shell.run('true');
    for (const block of blocks) {
      if (block.language === 'python' && !hasPython()) {
        console.warn(`line ${block.line}: skipped, because there is no python3 on this machine`);
        continue;
      }
      const outcome = await run(block);
      const wrong = outcome && whatIsWrong(block, outcome);
      if (wrong) throw new Error(`line ${block.line}: ${wrong}\n\n${block.code}\n\n${outputOf(outcome)}`);
    }
  } finally {
    shell.close();
    script?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function whatIsWrong(block: Block, outcome: BlockOutput): string | null {
  if (!outcome.isDone) return 'this example fails';
  const isRefused = outcome.printed.includes('"success":false');
  if (isRefused && !block.isRefused) return 'this example is refused';
  if (block.isRefused && !isRefused) return 'this example should be refused';
  const difference = block.answer && compareAnswer(block.answer, outcome.printed);
  return difference ?? null;
}

const outputOf = ({ printed, complaints }: BlockOutput): string => `it printed:\n${printed}\n${complaints}`.trimEnd();
