import { addCosts } from '@switchyard/kernel';
import { ACTIVITY_RULES, type CauseKind, type CauseNode, MAX_CAUSE_NODES, type Scope } from '@switchyard/contracts';

export interface ShownNode {
  key: string;
  parentKey: string | null;
  kind: CauseKind;
  id: string | null;
  hidden?: true;
  name?: string | null;
  status?: string | null;
  startedAt?: string | null;
  finishedAt?: string | null;
  agentId?: string | null;
  sessionId?: string | null;
  tokens?: number | null;
  cost?: number | null;
}

export interface ShownTree {
  root: string;
  nodes: ShownNode[];
  truncated: boolean;
}

const { turn, execution, job, emission } = ACTIVITY_RULES;

/** Whose read scope shows a node; calls of tools and models are part of their turn. */
export const SCOPE_OF_NODE: Readonly<Record<CauseKind, Scope>> = {
  turn: turn.scope,
  tool_call: turn.scope,
  model_call: turn.scope,
  execution: execution.scope,
  step: execution.scope,
  job: job.scope,
  emission: emission.scope,
  delivery: emission.scope,
  record_write: 'datasets:read',
};

/**
 * Joins what the services know to one tree. A call of a tool that its turn has not stored yet is known by what it has
 * led to; anything else without a known parent hangs under the root. A node's tokens are its own and of all below it.
 */
export function causeTree(
  found: readonly CauseNode[],
  rootKey: string,
  isShown: (node: CauseNode) => boolean,
): ShownTree {
  const nodes = new Map(found.map((node) => [node.key, node]));
  for (const node of found) addMissingCall(nodes, node);
  const children = new Map<string, CauseNode[]>();
  for (const node of nodes.values()) {
    if (node.key === rootKey) continue;
    const parent = parentOf(node, nodes, rootKey);
    const siblings = children.get(parent);
    const child = { ...node, parentKey: parent };
    if (siblings) siblings.push(child);
    else children.set(parent, [child]);
  }
  const root = nodes.get(rootKey);
  const ordered: CauseNode[] = root ? [{ ...root, parentKey: null }] : [];
  const reached = new Set([rootKey]);
  for (let at = 0; at < ordered.length; at += 1) {
    for (const child of (children.get((ordered[at] as CauseNode).key) ?? []).sort(byTime)) {
      if (reached.has(child.key)) continue;
      reached.add(child.key);
      ordered.push(child);
    }
  }
  const sums = sumsOf(ordered);
  return {
    root: rootKey,
    nodes: ordered.slice(0, MAX_CAUSE_NODES).map((node) => shown(node, sums.get(node.key), isShown(node))),
    truncated: ordered.length > MAX_CAUSE_NODES,
  };
}

/** The steps of an execution, each a node below it. */
export const stepNodes = ({ key, id: executionId, steps = [] }: CauseNode): CauseNode[] =>
  steps.map(({ id, status, startedAt, finishedAt }) => ({
    key: `step:${executionId}/${id}`,
    parentKey: key,
    kind: 'step',
    id,
    name: id,
    status,
    startedAt,
    finishedAt,
    userId: null,
    correlationId: null,
    root: null,
    turnIds: [],
    tokens: null,
    cost: null,
  }));

function addMissingCall(nodes: Map<string, CauseNode>, { parentKey }: CauseNode): void {
  const [, turnKey, callId] = /^tool_call:([^/]+)\/(.+)$/.exec(parentKey ?? '') ?? [];
  if (parentKey === null || turnKey === undefined || callId === undefined || nodes.has(parentKey)) return;
  const turn = nodes.get(`turn:${turnKey}`);
  nodes.set(parentKey, {
    key: parentKey,
    parentKey: `turn:${turnKey}`,
    kind: 'tool_call',
    id: callId,
    name: null,
    status: null,
    startedAt: null,
    finishedAt: null,
    userId: turn?.userId ?? null,
    correlationId: null,
    root: null,
    turnIds: [],
    tokens: null,
    cost: null,
  });
}

function parentOf(node: CauseNode, nodes: ReadonlyMap<string, CauseNode>, rootKey: string): string {
  const { parentKey } = node;
  return parentKey !== null && parentKey !== node.key && nodes.has(parentKey) ? parentKey : rootKey;
}

const byTime = (a: CauseNode, b: CauseNode): number => {
  const [left, right] = [a.startedAt ?? a.finishedAt ?? '', b.startedAt ?? b.finishedAt ?? ''];
  return left === right ? (a.key < b.key ? -1 : 1) : left < right ? -1 : 1;
};

interface Sum {
  tokens: number;
  cost: number;
}

/** Parents stand before their children. */
function sumsOf(ordered: readonly CauseNode[]): Map<string, Sum> {
  const sums = new Map<string, Sum>(
    ordered.map(({ key, tokens, cost }) => [key, { tokens: tokens ?? 0, cost: cost ?? 0 }]),
  );
  for (const { key, parentKey } of [...ordered].reverse()) {
    const [own, above] = [sums.get(key), parentKey === null ? undefined : sums.get(parentKey)];
    if (!own || !above) continue;
    above.tokens += own.tokens;
    above.cost = addCosts(above.cost, own.cost);
  }
  return sums;
}

function shown({ key, parentKey, kind, ...node }: CauseNode, sum: Sum | undefined, isShown: boolean): ShownNode {
  if (!isShown) return { key, parentKey, kind, id: null, hidden: true };
  const { id, name, status, startedAt, finishedAt } = node;
  return {
    key,
    parentKey,
    kind,
    id,
    name,
    status,
    startedAt,
    finishedAt,
    ...(kind === 'turn' ? { agentId: node.agentId ?? null, sessionId: node.sessionId ?? null } : {}),
    tokens: sum?.tokens ?? 0,
    cost: sum?.cost ?? 0,
  };
}
