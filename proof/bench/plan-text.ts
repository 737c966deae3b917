/** A node of a plan, as `explain (analyze, buffers, format json)` writes it. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Total Time': number;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

export interface ExplainedPlan {
  'Query Text': string;
  Plan: PlanNode;
}

/** Statements that belong to the services themselves and answer no question. */
const BY_ITSELF = /\b(outbox|inbox|holders)\b/;

/** The plans in a part of Postgres's log: a line that announces each, and lines of JSON that begin with a tab. */
export function plansIn(log: string): ExplainedPlan[] {
  return log
    .split(/^.*duration: [\d.]+ ms {2}plan:\n/m)
    .slice(1)
    .map((part) => /^(?:\t.*\n?)+/.exec(part)?.[0] ?? '')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text) as ExplainedPlan)
    .filter((plan) => !BY_ITSELF.test(plan['Query Text']));
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const pagesOf = (plan: PlanNode): number => (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);

const grouped = (value: number): string => Math.round(value).toLocaleString('en');

/** In one line: by what rows were found, how many were read, how many pages of 8 kB that took, and how long. */
export function planText(plan: PlanNode): string {
  const nodes = nodesOf(plan);
  const ways = nodes.flatMap((node) => {
    if (node['Index Name'] !== undefined) return [node['Index Name']];
    return node['Node Type'] === 'Seq Scan' ? [`all of ${node['Relation Name'] ?? '?'}`] : [];
  });
  const scans = nodes.filter((node) => node['Node Type'].endsWith('Scan') && (node.Plans ?? []).length === 0);
  const rows = scans.reduce((sum, node) => {
    const each =
      node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    return sum + each * node['Actual Loops'];
  }, 0);
  const by = ways.length === 0 ? 'no table' : [...new Set(ways)].join(', ');
  return `${by}; ${grouped(rows)} rows read, ${grouped(pagesOf(plan))} pages, ${plan['Actual Total Time'].toFixed(1)} ms`;
}

/**
 * Of the last answer's plans, of statements that each answer needed, the one that read the most pages; empty without one. On
 * a busy machine the slowest one may be a statement that reads no table.
 */
export function ofEachAnswer(answers: readonly (readonly ExplainedPlan[])[]): string {
  const needed = (plan: ExplainedPlan): boolean =>
    answers.every((plans) => plans.some((other) => other['Query Text'] === plan['Query Text']));
  const [largest] = (answers.at(-1) ?? []).filter(needed).toSorted((a, b) => pagesOf(b.Plan) - pagesOf(a.Plan));
  return largest ? planText(largest.Plan) : '';
}
