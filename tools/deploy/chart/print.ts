import { stringify } from 'yaml';
import { Block, Conditional, Inline, Lines, type Tree, type TreeMap } from './tree';

/** Templates of Prometheus alerts must not be evaluated by Helm. */
const escape = (text: string): string => text.replaceAll('{{', '{{ "{{" }}');

function scalar(value: string | number | boolean | null): string {
  if (typeof value === 'string' && value.includes('\n')) return escape(JSON.stringify(value));
  return escape(stringify(value, { version: '1.1', lineWidth: 0 }).trimEnd());
}

const isMap = (node: Tree): node is TreeMap =>
  typeof node === 'object' &&
  node !== null &&
  !Array.isArray(node) &&
  ![Inline, Block, Lines, Conditional].some((kind) => node instanceof kind);

const pad = (indent: number): string => ' '.repeat(indent);
const action = (indent: number, text: string): string => `${pad(indent)}{{- ${text} }}`;

function conditional(node: Conditional, indent: number, print: (part: Tree) => string[]): string[] {
  const otherwise = node.otherwise === undefined ? [] : [action(indent, 'else'), ...print(node.otherwise)];
  return [action(indent, node.condition), ...print(node.then), ...otherwise, action(indent, 'end')];
}

function entry(key: string, node: Tree, indent: number): string[] {
  const name = `${pad(indent)}${scalar(key)}:`;
  if (node instanceof Conditional) return conditional(node, indent, (part) => entry(key, part, indent));
  if (node instanceof Lines) return [action(indent, `${node.expression} | nindent ${indent}`)];
  if (node instanceof Block) return [name, action(indent + 2, `${node.expression} | nindent ${indent + 2}`)];
  if (node instanceof Inline) return [`${name} {{ ${node.expression} }}`];
  if (Array.isArray(node)) return node.length === 0 ? [`${name} []`] : [name, ...node.flatMap((each) => item(each, indent + 2))];
  if (isMap(node)) return Object.keys(node).length === 0 ? [`${name} {}`] : [name, ...printMap(node, indent + 2)];
  return [`${name} ${scalar(node)}`];
}

function item(node: Tree, indent: number): string[] {
  if (node instanceof Conditional) return conditional(node, indent, (part) => item(part, indent));
  if (node instanceof Lines) return [action(indent, `${node.expression} | nindent ${indent}`)];
  if (node instanceof Inline) return [`${pad(indent)}- {{ ${node.expression} }}`];
  if (!isMap(node)) {
    if (typeof node === 'object' && node !== null) throw new Error('a list of lists is not known here');
    return [`${pad(indent)}- ${scalar(node)}`];
  }
  const [first = '', ...rest] = printMap(node, indent + 2);
  if (first.trimStart().startsWith('{{')) throw new Error(`an item begins with an entry that is always there: ${first}`);
  return [`${pad(indent)}- ${first.trimStart()}`, ...rest];
}

/** The lines of a map, at an indentation. */
export const printMap = (map: TreeMap, indent: number): string[] =>
  Object.entries(map).flatMap(([key, node]) => (node === undefined ? [] : entry(key, node, indent)));

/** A document of a template's file: a manifest, or one on a condition. */
export function printDocument(document: Tree): string[] {
  if (document instanceof Conditional) return conditional(document, 0, printDocument);
  return ['---', ...printMap(document as TreeMap, 0)];
}
