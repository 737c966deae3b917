import type { WordCounts } from './count-words';

/** The counts of today. They only fall. */
export type WordCeilings = Record<string, number>;

/** One number a line, so that changes of two packages do not touch each other. */
export function asCeilings({ packages, eventNames, repeatedTypes }: WordCounts): WordCeilings {
  const lines: [string, number][] = [
    ...Object.entries(packages).flatMap(([name, { names, comments }]): [string, number][] => [
      [`${name}: names with a word of the dialect`, names],
      [`${name}: comments with a riddle as the subject`, comments],
    ]),
    ...Object.entries(repeatedTypes).map(([name, count]): [string, number] => [`types named ${name}`, count]),
    ['names of turn events as text in sources', eventNames.sources],
    ['names of turn events as text in tests', eventNames.tests],
  ];
  return Object.fromEntries(lines.filter(([, count]) => count > 0).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A type name that is new in the list is over the ceiling as well: it has none. */
export const overCeilings = (ceilings: WordCeilings, now: WordCeilings): string[] =>
  Object.entries(now)
    .filter(([name, count]) => count > (ceilings[name] ?? 0))
    .map(([name, count]) => `${name}: ${count}, and at most ${ceilings[name] ?? 0} are allowed`);

export const lowered = (ceilings: WordCeilings, now: WordCeilings): WordCeilings =>
  Object.fromEntries(
    Object.entries(ceilings)
      .map(([name, most]): [string, number] => [name, Math.min(most, now[name] ?? 0)])
      .filter(([, most]) => most > 0),
  );
