const titleCall =
  /\b(?:describe|it|test)(?:\.\w+)*\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)\s*)?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
/** The second call of `each(table)(title, ...)`, however long the table is. */
const tableTitle = /\)\s*\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,/g;
const placeholder = /%[sdifjop#%]|\$\{[^}]*\}|\$[\w.]+/g;

/** The titles of a spec file as patterns: what is filled in from a table may be anything. */
export function titlePatterns(source: string): RegExp[] {
  const texts = [...source.matchAll(titleCall), ...source.matchAll(tableTitle)].map(([, , title = '']) =>
    title.replace(/\\(.)/g, '$1'),
  );
  return texts.map((text) => {
    const parts = text.split(placeholder).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('[^]*?')}`);
  });
}

/** Whether a full test name (titles of the groups, then of the test) can be put together from these titles. */
export function isComposedOf(name: string, patterns: readonly RegExp[], depth = 0): boolean {
  if (depth > 8) return false;
  return patterns.some((pattern) => {
    const whole = new RegExp(`${pattern.source}$`);
    if (whole.test(name)) return true;
    const found = pattern.exec(name)?.[0];
    if (found === undefined || found === '' || name[found.length] !== ' ') return false;
    return isComposedOf(name.slice(found.length + 1), patterns, depth + 1);
  });
}
