import type { SwitchyardError } from '@switchyard/client';

export interface RefusedLine {
  line: number;
  field: string;
  why: string;
  /** The line's text, if the file is small enough to read it. */
  text: string;
}

const MAX_BYTES = 20 * 1024 * 1024;
const MAX_SHOWN = 500;

/** The API names a place as `line 12.price`. */
export async function refusedLines(error: SwitchyardError, file: Blob): Promise<RefusedLine[]> {
  const found = error.details.flatMap(({ path, message }) => {
    const [, line, field] = /^line (\d+)(?:\.(.+))?$/u.exec(path) ?? [];
    return line === undefined ? [] : [{ line: Number(line), field: field ?? '', why: message }];
  });
  if (found.length === 0) return [];
  const lines = file.size > MAX_BYTES ? [] : (await file.text()).split(/\r?\n/u);
  return found.map((refused) => ({ ...refused, text: lines[refused.line - 1]?.slice(0, MAX_SHOWN) ?? '' }));
}
