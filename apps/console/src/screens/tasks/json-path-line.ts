/** The line of a text of JSON, from 1, at which a path such as `[1].with.url` stands: of the deepest part that is there. */
export function lineOf(text: string, path: string): number {
  const requested = [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/gu)].map(([, path, name]) => path ?? name ?? '');
  const open: { name: string; isList: boolean }[] = [];
  let best = { depth: 0, at: 0 };
  const found = (at: number): void => {
    const depth = open.length;
    const isOnPath = depth <= requested.length && open.every(({ name }, level) => name === requested[level]);
    if (isOnPath && depth > best.depth) best = { depth, at };
  };
  const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gu;
  for (const { 0: word, index } of text.matchAll(token)) {
    const top = open.at(-1);
    if (word === '{' || word === '[') {
      open.push({ name: word === '[' ? '0' : '', isList: word === '[' });
      if (word === '[') found(index + 1);
    } else if (word === '}' || word === ']') open.pop();
    else if (word === ',' && top) {
      if (top.isList) {
        top.name = String(Number(top.name) + 1);
        found(index + 1);
      } else top.name = '';
    } else if (top && !top.isList && top.name === '' && word.startsWith('"')) {
      top.name = nameIn(word);
      found(index);
    }
  }
  const start = best.at + (/^\s*/u.exec(text.slice(best.at))?.[0].length ?? 0);
  return text.slice(0, start).split('\n').length;
}

const nameIn = (quoted: string): string => {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
};
