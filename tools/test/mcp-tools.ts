import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runToEnd } from '../launcher/processes/transient';
import type { Progress } from '../launcher/progress';
import { projectRoot } from '../launcher/project-root';

const source = path.join(projectRoot, 'tools/mcp-tools');
const folder = path.join(projectRoot, 'node_modules/.cache/mcp-tools');
const files = ['package.json', 'package-lock.json'];

/**
 * The folder with MCP's conformance suite and Inspector, and a Node that is new enough for them. They are not among the
 * project's own dependencies, because together they are larger than it, and only tests want them. Empty where they
 * cannot be installed.
 */
export async function provideMcpTools(progress: Progress): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(path.join(source, file)));
  const expected = hash.digest('base64url');
  const stamp = path.join(folder, '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === expected) return folder;
  progress.step("installing MCP's conformance suite and Inspector (once)");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of files) copyFileSync(path.join(source, file), path.join(folder, file));
  const args = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const installed = await runToEnd('npm', args, { cwd: folder });
  if (installed.code !== 0) {
    // The tests that want it fail and say so; all others have no need of it.
    progress.note(`it could not be installed; is the npm registry in reach? ${installed.stderr.trim()}`);
    return '';
  }
  writeFileSync(stamp, expected);
  return folder;
}
