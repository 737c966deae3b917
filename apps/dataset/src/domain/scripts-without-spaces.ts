/**
 * Scripts that are written without spaces (Thai to Khmer, kana, ideographs) or whose words carry endings (hangul),
 * as ranges of a character class that JavaScript and Postgres read alike.
 */
export const SPACELESS =
  '\\u0E00-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF\\u3040-\\u30FF\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uAC00-\\uD7AF\\uF900-\\uFAFF';

const RUN = new RegExp(`[${SPACELESS}]+`, 'gu');

const pairs = (run: string): string[] => {
  const characters = Array.from(run);
  return characters.length < 2
    ? characters
    : characters.slice(1).map((next, index) => `${characters[index] ?? ''}${next}`);
};

/**
 * A query in web-search syntax, with each run of such a script as the phrase of its pairs of characters, which is how
 * the texts were indexed.
 */
export const spacedQuery = (query: string): string =>
  query
    .split('"')
    .map((part, index) =>
      part.replace(RUN, (run) => (index % 2 === 1 ? ` ${pairs(run).join(' ')} ` : `"${pairs(run).join(' ')}" `)),
    )
    .join('"');
