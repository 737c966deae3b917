/** Beside the instructions of what stands in a pattern: the one that says "matched". */
const MATCH = 1;
/** A Unicode class is one instruction with a table of up to 6 KiB. Repeating it repeats the instruction, not the table. */
const UNICODE_CLASS = 8;
const REPEATED = /^\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\}/;
const OPTIONS = /^\?(?:P?<[^>]*>|[a-zA-Z-]*[:)])/;
const IN_BRACES = /^\{[^}]*\}/;

interface Group {
  /** Of the parts before the last one, and of the alternatives before this one. */
  before: number;
  /** Of the part that a repetition would repeat. */
  last: number;
  opening: number;
}

const repeated = (body: number, least: number, most: number | null): number => {
  if (most === null) return Math.max(1, least) * body + 2;
  return Math.max(1, most * body + Math.max(0, most - least));
};

/**
 * How many instructions RE2 compiles a pattern to, at most, known from its text alone: counted repetitions multiply, and
 * a pattern of 30 characters can ask for a million of them. Nothing is built to find out.
 */
export function patternInstructions(pattern: string): number {
  const open: Group[] = [];
  let group: Group = { before: 0, last: 0, opening: 0 };
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
      // `(?i)` sets options and groups nothing, but its own end closes it.
      const isClosed = options.endsWith(')');
      group = { before: 0, last: 0, opening: rest.startsWith('?') && !/^\?P?</.test(rest) ? 0 : 2 };
      at += isClosed ? options.length - 1 : options.length;
    } else if (character === ')') {
      const { before, last, opening } = group;
      group = open.pop() ?? { before: 0, last: 0, opening: 0 };
      add(Math.max(1, before + last) + opening);
    } else if (character === '|') {
      // One to choose, and one for an alternative without anything in it.
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
      // The name of a class and the number of a character are not repetitions.
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
  // What is left open is no pattern; it is refused where it is compiled.
  const all = [...open, group].reduce((sum, { before, last, opening }) => sum + before + last + opening, 0);
  return all + tables + MATCH;
}

/** How long a class is behind its `[`, and how many Unicode classes stand in it. */
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
