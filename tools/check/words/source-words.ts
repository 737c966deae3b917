import ts from 'typescript';

/** The words of one file. */
export interface SourceWords {
  /** Every declared variable, parameter, function, type and member. */
  names: string[];
  types: string[];
  /** Lines that begin with `//` and follow each other are one comment. */
  comments: string[];
  texts: string[];
}

type Declared = ts.NamedDeclaration & { name?: ts.Node };

const TYPES = new Set([
  ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.EnumDeclaration,
]);
const DECLARATIONS = new Set([
  ...TYPES,
  ts.SyntaxKind.VariableDeclaration,
  ts.SyntaxKind.BindingElement,
  ts.SyntaxKind.Parameter,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.TypeParameter,
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.MethodSignature,
  ts.SyntaxKind.GetAccessor,
  ts.SyntaxKind.SetAccessor,
  ts.SyntaxKind.PropertyDeclaration,
  ts.SyntaxKind.PropertySignature,
]);

export function wordsOfSource(file: string, text: string): SourceWords {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const found: SourceWords = { names: [], types: [], comments: [], texts: [] };
  const comments = new Map<number, ts.CommentRange>();
  const collect = (ranges: ts.CommentRange[] | undefined): void => {
    for (const range of ranges ?? []) comments.set(range.pos, range);
  };
  const visit = (node: ts.Node): void => {
    if (DECLARATIONS.has(node.kind)) {
      const { name } = node as Declared;
      if (name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) {
        found.names.push(name.text);
        if (TYPES.has(node.kind)) found.types.push(name.text);
      }
    }
    if (ts.isStringLiteralLike(node)) found.texts.push(node.text);
    if (node.kind !== ts.SyntaxKind.JsxText) {
      collect(ts.getLeadingCommentRanges(text, node.pos));
      collect(ts.getTrailingCommentRanges(text, node.end));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  collect(ts.getLeadingCommentRanges(text, source.endOfFileToken.pos));
  found.comments = joined(
    text,
    [...comments.values()].toSorted((a, b) => a.pos - b.pos),
  );
  return found;
}

const bare = (comment: string): string =>
  comment
    .replaceAll(/^\/\*+|\*+\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\/\/+|\*)\s?/, ''))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

function joined(text: string, ranges: ts.CommentRange[]): string[] {
  const groups: string[] = [];
  let end = -1;
  for (const { pos, end: nextEnd, kind } of ranges) {
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const follows = isLine && end >= 0 && /^[^\S\n]*\n[^\S\n]*$/.test(text.slice(end, pos));
    const words = text.slice(pos, nextEnd);
    if (follows) groups.push(`${groups.pop() ?? ''}\n${words}`);
    else groups.push(words);
    end = isLine ? nextEnd : -1;
  }
  return groups.map(bare);
}
