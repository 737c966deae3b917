/** The output that a page shows for the example above it. */
export interface ExpectedOutput {
  line: number;
  language: string;
  text: string;
}

/** One example of a page that is run. */
export interface Block {
  line: number;
  language: 'sh' | 'ts' | 'python';
  code: string;
  /** The page shows a refusal on purpose. */
  isRefused: boolean;
  answer?: ExpectedOutput;
}

/** Every fenced block of a page, run or not. */
export interface Fence {
  line: number;
  language: string;
  marks: string[];
  text: string;
}

const FENCE = /^(`{3,})([\w-]*)[ \t]*(.*)$/;

export function fencesOf(markdown: string): Fence[] {
  const fences: Fence[] = [];
  let open: (Fence & { ticks: string; lines: string[] }) | undefined;
  for (const [index, text] of markdown.split('\n').entries()) {
    if (open) {
      if (text.trimEnd() === open.ticks) {
        fences.push({ line: open.line, language: open.language, marks: open.marks, text: open.lines.join('\n') });
        open = undefined;
      } else open.lines.push(text);
      continue;
    }
    const found = FENCE.exec(text);
    if (!found) continue;
    const [, ticks = '', language = '', marks = ''] = found;
    open = { line: index + 1, language, marks: marks.split(/\s+/).filter(Boolean), ticks, lines: [], text: '' };
  }
  if (open) throw new Error(`line ${open.line}: this block has no end`);
  return fences;
}

/**
 * The examples of a page in their order. A block with the mark `run` is executed; one with the mark `answer` says what
 * the example above it prints.
 */
export function examplesOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  for (const fence of fencesOf(markdown)) {
    if (fence.marks.includes('run')) blocks.push(exampleOf(fence));
    if (!fence.marks.includes('answer')) continue;
    const last = blocks.at(-1);
    if (!last || last.answer)
      throw new Error(`line ${fence.line}: there is no example that this could be the answer of`);
    last.answer = { line: fence.line, language: fence.language, text: fence.text };
  }
  return blocks;
}

function exampleOf({ line, language, marks, text }: Fence): Block {
  if (language !== 'sh' && language !== 'ts' && language !== 'python')
    throw new Error(`line ${line}: ${language} cannot be run, only sh, ts and python`);
  return { line, language, code: text, isRefused: marks.includes('refused') };
}
