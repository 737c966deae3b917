import { fencesOf } from './page';

/** Set by every shell, or by the program that runs the example. */
const OF_THE_SHELL = new Set(['HOME', 'PATH', 'PWD', 'USER']);
/** `$NAME` and `${NAME}`; not `\$NAME`, which the shell passes on, and not `${NAME:-default}`. */
const SHELL_USE = /(?<!\\)\$(?:\{(\w+)\}|(\w+))/g;
const SHELL_SET = /(?:^|[\s;(|&])([A-Za-z_]\w*)=/gm;
const SHELL_LOOP = /\b(?:for|read(?: -\S+(?: '')?)*) ([A-Za-z_]\w*)/g;
const TS_USE = /process\.env(?:\.(\w+)|\['(\w+)'\])/g;
const TS_DESTRUCTURED = /\{([^}]*)\} = process\.env/g;
const PYTHON_USE = /os\.environ(?:\[|\.get\()["'](\w+)/g;

export interface UnsetVariable {
  line: number;
  name: string;
}

const namesOf = (code: string, of: RegExp): string[] =>
  [...code.matchAll(of)].map(([, first, second]) => first ?? second ?? '').filter((name) => /^[A-Za-z_]/.test(name));

const destructured = (code: string): string[] =>
  [...code.matchAll(TS_DESTRUCTURED)].flatMap(([, list = '']) =>
    list.split(',').map((one) => one.trim().split(/[\s:=]/)[0] ?? ''),
  );

/** The environment variables that an example reads. */
function usesOf(language: string, code: string): string[] {
  if (language === 'sh' || language === 'bash') return namesOf(code, SHELL_USE);
  if (language === 'ts') return [...namesOf(code, TS_USE), ...destructured(code).filter(Boolean)];
  return language === 'python' ? namesOf(code, PYTHON_USE) : [];
}

/** The variables that an example uses although no example up to it on the page sets them. */
export function unsetVariablesOf(markdown: string): UnsetVariable[] {
  const set = new Set(OF_THE_SHELL);
  return fencesOf(markdown).flatMap(({ language, line, text }) => {
    if (language === 'sh' || language === 'bash')
      for (const name of [...namesOf(text, SHELL_SET), ...namesOf(text, SHELL_LOOP)]) set.add(name);
    return [...new Set(usesOf(language, text))].filter((name) => !set.has(name)).map((name) => ({ line, name }));
  });
}
