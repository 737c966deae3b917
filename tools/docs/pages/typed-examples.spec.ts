import path from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../../launcher/project-root';
import { documents, textOf } from './documents';
import { examplesOf } from './page';

/** The TypeScript of a page as the one program that it is. */
const programOf = (page: string): string =>
  examplesOf(textOf(page))
    .filter(({ language }) => language === 'ts')
    .map(({ code }) => code)
    .join('\n');

// Beside the pages' folder, so that packages and aliases are found as in the project.
const files = new Map(
  documents
    .map((page) => [path.join(projectRoot, `${page.replace(/\W/g, '-')}.example.mts`), programOf(page)] as const)
    .filter(([, text]) => text !== ''),
);

test('the TypeScript of the pages has the types that it claims', () => {
  const config = ts.readConfigFile(path.join(projectRoot, 'tsconfig.base.json'), (name) => ts.sys.readFile(name));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, projectRoot);
  const host = ts.createCompilerHost({ ...options, noEmit: true });
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, ...rest) => {
    const text = files.get(name);
    return text === undefined ? getSourceFile(name, ...rest) : ts.createSourceFile(name, text, rest[0]);
  };
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  const program = ts.createProgram([...files.keys()], { ...options, noEmit: true, types: ['node'] }, host);
  const wrong = [...files.keys()].flatMap((name) => ts.getPreEmitDiagnostics(program, program.getSourceFile(name)));
  const sent = wrong.map(
    ({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  );
  expect(sent).toEqual([]);
  expect(files.size).toBeGreaterThan(5);
});
