import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../launcher/project-root';

export interface UnsteadyFile {
  file: string;
  since: string;
  /** The failure. */
  reason: string;
}

const inProject = path.join(projectRoot, 'tools/test/unsteady-files.json');

/**
 * Test files that have needed a second look, until somebody mends them and takes them off. The list is part of the
 * project; a CI that throws its clones away keeps it where SWITCHYARD_UNSTEADY_FILES says.
 */
export class UnsteadyList {
  private readonly known: UnsteadyFile[];

  constructor(private readonly path = process.env.SWITCHYARD_UNSTEADY_FILES ?? inProject) {
    this.known = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as UnsteadyFile[]) : [];
  }

  /** Adds files that needed a second look, and hands back those that had needed one before: they are to be mended now. */
  note(reasons: Readonly<Record<string, string>>, today = new Date().toISOString().slice(0, 10)): UnsteadyFile[] {
    const again = this.known.filter(({ file }) => file in reasons);
    const added = Object.entries(reasons)
      .filter(([file]) => !this.known.some((each) => each.file === file))
      .map(([file, reason]) => ({ file, since: today, reason }));
    if (added.length === 0) return again;
    this.known.push(...added);
    writeFileSync(this.path, `${JSON.stringify(this.known, null, 2)}\n`);
    return again;
  }
}
