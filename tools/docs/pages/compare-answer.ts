import type { ExpectedOutput } from './page';

const ANYTHING = '...';

/** The difference to the printed text, or null. `...` on a page matches anything. */
export function compareAnswer(shown: ExpectedOutput, printed: string): string | null {
  if (shown.language === 'json') return compareJson(shown.text, printed);
  const lines = shown.text.trimEnd().split('\n');
  const matched = matchedLines(lines, printed.trimEnd().split('\n'));
  if (matched === lines.length) return null;
  return `the answer does not go on with: ${lines[matched] ?? 'anything'}`;
}

function compareJson(shown: string, printed: string): string | null {
  let actual: unknown;
  try {
    actual = JSON.parse(printed);
  } catch {
    return 'the page shows JSON, and this is none';
  }
  return differenceOf(JSON.parse(shown), actual, 'the answer');
}

/** Objects may hold more than the page shows; lists may go on where the page's ends in "...". */
function differenceOf(shown: unknown, actual: unknown, where: string): string | null {
  if (typeof shown === 'string') return differenceOfText(shown, actual, where);
  if (Array.isArray(shown)) return differenceOfList(shown, actual, where);
  if (typeof shown !== 'object' || shown === null)
    return shown === actual ? null : `${where} is ${JSON.stringify(actual)}, not ${JSON.stringify(shown)}`;
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return `${where} is no object`;
  for (const [name, value] of Object.entries(shown)) {
    if (!Object.hasOwn(actual, name)) return `${where} has no ${name}`;
    const difference = differenceOf(value, (actual as Record<string, unknown>)[name], `${where}.${name}`);
    if (difference) return difference;
  }
  return null;
}

function differenceOfText(shown: string, actual: unknown, where: string): string | null {
  if (shown === ANYTHING) return actual === undefined ? `${where} is missing` : null;
  return typeof actual === 'string' && patternOf(shown).test(actual)
    ? null
    : `${where} is ${JSON.stringify(actual)}, not ${JSON.stringify(shown)}`;
}

function differenceOfList(shown: unknown[], actual: unknown, where: string): string | null {
  if (!Array.isArray(actual)) return `${where} is no list`;
  const isOpen = shown.at(-1) === ANYTHING;
  const items = isOpen ? shown.slice(0, -1) : shown;
  if (actual.length < items.length || (!isOpen && actual.length > items.length))
    return `${where} has ${actual.length} items, not ${items.length}`;
  for (const [index, item] of items.entries()) {
    const difference = differenceOf(item, actual[index], `${where}[${index}]`);
    if (difference) return difference;
  }
  return null;
}

/**
 * How many of the shown lines, from the first on, are in what was printed; one less where something follows that is not
 * shown. A line that is `...` alone stands for any number of lines.
 */
function matchedLines(shown: string[], printed: string[]): number {
  let at = 0;
  let isOpen = false;
  for (const [index, line] of shown.entries()) {
    if (line.trim() === ANYTHING) {
      isOpen = true;
      continue;
    }
    const found = printed.findIndex((each, index) => index >= at && patternOf(line).test(each));
    if (found < 0 || (!isOpen && found > at)) return index;
    at = found + 1;
    isOpen = false;
  }
  return isOpen || at === printed.length ? shown.length : shown.length - 1;
}

const patternOf = (shown: string): RegExp =>
  new RegExp(
    `^${shown
      .split(ANYTHING)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );
