import { hasRiddle, isDialect } from './dialect';
import { wordsOfSource } from './source-words';
import { isTurnEventName } from './turn-event-names';

export interface PackageWords {
  names: number;
  comments: number;
}

export interface WordCounts {
  /** Names with a word of the dialect, and comments with a riddle, by package. */
  packages: Record<string, PackageWords>;
  /** Names of turn events that are written as text, in sources and in tests. */
  eventNames: { sources: number; tests: number };
  /** Types whose name is declared more often than three times. */
  repeatedTypes: Record<string, number>;
  /** All names and comments, to compute a share. */
  all: PackageWords;
}

export interface SourceFile {
  path: string;
  text: string;
}

/** Where names of turn events are text: their declaration, and code that reads the wire as clients read it. */
const WRITES_EVENT_NAMES = ['libs/contracts/src/turn-frames/', 'libs/client/', 'apps/gateway/test/', 'examples/'];
/** Files that are generated are counted in the files of which they are made. */
const GENERATED = /^\/\/ Generated from /;
const MAX_DECLARATIONS = 3;
/** Each component of React has a type of this name. */
const REACT_PROPS = 'Props';

export const isTest = (path: string): boolean => /(?:\.spec|e2e-spec|faults-spec)\.tsx?$|\/test\//.test(path);
const packageOf = (path: string): string => path.split('/').slice(0, 2).join('/');

export function countWords(files: Iterable<SourceFile>): WordCounts {
  const packages: Record<string, PackageWords> = {};
  const eventNames = { sources: 0, tests: 0 };
  const all = { names: 0, comments: 0 };
  const types = new Map<string, number>();
  for (const { path, text } of files) {
    if (GENERATED.test(text)) continue;
    const words = wordsOfSource(path, text);
    const counts = (packages[packageOf(path)] ??= { names: 0, comments: 0 });
    counts.names += words.names.filter(isDialect).length;
    counts.comments += words.comments.filter(hasRiddle).length;
    all.names += words.names.length;
    all.comments += words.comments.length;
    if (!WRITES_EVENT_NAMES.some((folder) => path.startsWith(folder)))
      eventNames[isTest(path) ? 'tests' : 'sources'] += words.texts.filter(isTurnEventName).length;
    for (const type of words.types) types.set(type, (types.get(type) ?? 0) + 1);
  }
  types.delete(REACT_PROPS);
  const repeatedTypes = Object.fromEntries(
    [...types].filter(([, count]) => count > MAX_DECLARATIONS).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  return { packages, eventNames, repeatedTypes, all };
}
