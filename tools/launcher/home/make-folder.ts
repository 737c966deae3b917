import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/** Like `mkdir -p`. Node's own recursive form never returns where parents cannot be made, below /proc for one. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  mkdirSync(folder);
}
