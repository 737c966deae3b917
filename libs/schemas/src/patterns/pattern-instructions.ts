/** The final instruction, "match". */
const MATCH = 1;
/** A Unicode class is one instruction with a table of up to 6 KiB. Repetitions share the table. */
const UNICODE_CLASS = 8;
const REPEATED = /^\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\}/;
const OPTIONS = /^\?(?:P?<[^>]*>|[a-zA-Z-]*[:)])/;
const IN_BRACES = /^\{[^}]*\}/;

interface InstructionCounts {
  /** Instructions of the earlier parts and alternatives. */
  before: number;
  /** Instructions of the part that a repetition would repeat. */
  last: number;
  opening: number;
}

const repeated = (body: number, least: number, most: number | null): number => {
  if (most === null) return Math.max(1, least) * body + 2;
  return Math.max(1, most * body + Math.max(0, most - least));
};

/**
 * Upper bound of the RE2 instructions of a pattern, from its text alone: nested repetitions multiply, and 30 characters
 * can need a million.
 */
export function patternInstructions(pattern: string): number {
  const open: InstructionCounts[] = [];
  let group: InstructionCounts = { before: 0, last: 0, opening: 0 };
  let tables = 0;
  const add = (instructions: number): void => {
    group.before += group.last;
    group.last = instructions;
  };
  for (let at = 0; at < pattern.length;) {
    const character = pattern.charAt(at);
    const rest = pattern.slice(at + 1);
    at += 1;
    if (character === '(') {
      open.push(group);
      const options = OPTIONS.exec(rest)?.[0] ?? '';
      // `(?i)` sets options without opening a group, but has a closing parenthesis.
      const isClosed = options.endsWith(')');
      group = { before: 0, last: 0, opening: rest.startsWith('?') && !/^\?P?</.test(rest) ? 0 : 2 };
      at += isClosed ? options.length - 1 : options.length;
    } else if (character === ')') {
      const { before, last, opening } = group;
      group = open.pop() ?? { before: 0, last: 0, opening: 0 };
      add(Math.max(1, before + last) + opening);
    } else if (character === '|') {
      // One instruction to branch, and one for an empty alternative.
      add(0);
      group.before += 2;
    } else if (character === '*') group.last += 2;
    else if (character === '+' || character === '?') group.last += 1;
    else if (character === '[') {
      const { length, unicode } = classAt(rest);
      at += length;
      tables += unicode * UNICODE_CLASS;
      add(1);
    } else if (character === '\\') {
      const escape = rest.charAt(0);
      at += 1;
      if (escape === 'Q') {
        const end = rest.indexOf('\\E');
        const quoted = end === -1 ? rest.length - 1 : end - 1;
        for (let n = 0; n < quoted; n += 1) add(1);
        at += end === -1 ? quoted : quoted + 2;
        continue;
      }
      if (escape === 'p' || escape === 'P') tables += UNICODE_CLASS;
      // Class names and character codes in braces are not repetitions.
      if ('pPxu'.includes(escape)) at += IN_BRACES.exec(rest.slice(1))?.[0].length ?? 0;
      add(1);
    } else {
      const times = character === '{' ? REPEATED.exec(`{${rest}`) : null;
      if (times) {
        at += times[0].length - 1;
        const least = Number(times[1]);
        const most = times[2] === undefined ? least : times[3] === undefined ? null : Number(times[3]);
        group.last = repeated(group.last, least, most);
      } else add(1);
    }
  }
  // Unclosed groups are rejected by the compiler.
  const all = [...open, group].reduce((sum, { before, last, opening }) => sum + before + last + opening, 0);
  return all + tables + MATCH;
}

/** Length of a class after its `[`, and the number of Unicode classes in it. */
function classAt(rest: string): { length: number; unicode: number } {
  let unicode = 0;
  let at = rest.startsWith('^') ? 1 : 0;
  if (rest.charAt(at) === ']') at += 1;
  while (at < rest.length && rest.charAt(at) !== ']') {
    const named = rest.startsWith('[:', at) ? rest.indexOf(':]', at) : -1;
    if (named !== -1) at = named + 2;
    else if (rest.charAt(at) === '\\') {
      if (/[pP]/.test(rest.charAt(at + 1))) unicode += 1;
      at += 2;
    } else at += 1;
  }
  return { length: at + 1, unicode };
}
