import { chownSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** A file that one user alone can read. It replaces the old one at once, also when that belongs to another user. */
export function giveFile(file: string, text: string, user: number): void {
  const next = `${file}.next`;
  rmSync(next, { force: true });
  writeFileSync(next, text, { mode: 0o600 });
  chownSync(next, user, user);
  renameSync(next, file);
}
