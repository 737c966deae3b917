import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { BOUND_MEASURES, type BoundMeasure, helpOfMeasure, isCounted } from '@switchyard/service';

export interface DeclaredMetric {
  name: string;
  kind: 'counter' | 'gauge' | 'histogram';
  help: string;
  labels: string[];
  /** The services that may have it; `all` for what the libraries count. */
  services: string[];
}

const KINDS = new Set(['counter', 'gauge', 'histogram']);
const OWN = 'switchyard_';

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name) && !/spec\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/\/(?:test|node_modules)\//.test(file));

const literal = (node: ts.Node | undefined): string | null => {
  if (node && (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))) return node.text;
  return null;
};

const literals = (node: ts.Node | undefined): string[] =>
  node && ts.isArrayLiteralExpression(node) ? node.elements.flatMap((element) => literal(element) ?? []) : [];

/** The metrics of a call of `Metrics.bounded`: one for each of its measures. */
function boundedIn(call: ts.CallExpression): Omit<DeclaredMetric, 'services'>[] {
  const [declaration] = call.arguments;
  if (!declaration || !ts.isObjectLiteralExpression(declaration)) return [];
  const fieldOf = (field: string): ts.Node | undefined =>
    declaration.properties.flatMap((property) =>
      ts.isPropertyAssignment(property) && property.name.getText() === field ? [property.initializer] : [],
    )[0];
  const name = literal(fieldOf('name')) ?? '';
  const help = literal(fieldOf('help')) ?? '';
  const measures = literals(fieldOf('measures')) as BoundMeasure[];
  return measures.map((measure) => ({
    name: `${name}${BOUND_MEASURES[measure][0]}`,
    kind: isCounted(measure) ? 'counter' : 'gauge',
    help: helpOfMeasure({ name, help, measures }, measure),
    labels: literals(fieldOf('labels')),
  }));
}

function metricsIn(file: string): Omit<DeclaredMetric, 'services'>[] {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(OWN)) return [];
  const found: Omit<DeclaredMetric, 'services'>[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const kind = node.expression.name.text;
      if (kind === 'bounded') found.push(...boundedIn(node));
      const name = literal(node.arguments[0]);
      if (KINDS.has(kind) && name?.startsWith(OWN)) {
        const help = literal(node.arguments[1]) ?? '';
        found.push({ name, kind: kind as DeclaredMetric['kind'], help, labels: literals(node.arguments[2]) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

/** Every metric that the code declares, read from the code itself. */
export function declaredMetrics(root: string): DeclaredMetric[] {
  const found = new Map<string, DeclaredMetric>();
  for (const file of [...sourcesIn(join(root, 'apps')), ...sourcesIn(join(root, 'libs'))]) {
    const [path, name = ''] = relative(root, file).split('/');
    const service = path === 'apps' ? name : 'all';
    for (const metric of metricsIn(file)) {
      const existing = found.get(metric.name);
      if (!existing) found.set(metric.name, { ...metric, services: [service] });
      else if (existing.kind !== metric.kind)
        throw new Error(`${metric.name} is a ${existing.kind} and a ${metric.kind}`);
      else if (!existing.services.includes(service)) existing.services.push(service);
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}
