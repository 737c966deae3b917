/** Characters that web-search syntax ignores between two minus signs. */
const PASSED = '\\s\\u0085\\u180e!&|()';
const MINUSES = new RegExp(`(?<![^"${PASSED}])-(?:[${PASSED}]*-){2,}`, 'gu');

/**
 * A query as the database may read it in web-search syntax. Angle brackets separate words, as in the texts that are
 * searched. Of minus signs in a row, each of which it would keep in mind, one or two say the same as all.
 */
export const webQuery = (query: string): string =>
  query.replace(/[<>]/g, ' ').replace(MINUSES, (run) => (run.replace(/[^-]/g, '').length % 2 === 0 ? '--' : '-'));
