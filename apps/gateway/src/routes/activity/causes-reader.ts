import { Injectable } from '@nestjs/common';
import {
  ACTIVITY_RULES,
  type ActivityKind,
  CAUSE_FINDERS,
  type CauseNode,
  type Ctx,
  DatasetCauseCalls,
  EventBusCauseCalls,
  JobCauseCalls,
  MAX_CAUSE_NODES,
  RelayCauseCalls,
  SessionCauseCalls,
  TaskCauseCalls,
  hasScope,
  lacksScope,
  lending,
} from '@switchyard/contracts';
import { addCosts, AppError } from '@switchyard/kernel';
import { Bus } from '@switchyard/messaging';
import { maySee } from './activity-access';
import { causeTree, SCOPE_OF_NODE, type ShownTree, stepNodes } from './cause-tree';

const PARTS = [TaskCauseCalls, EventBusCauseCalls, SessionCauseCalls, DatasetCauseCalls];
/** Chains that begin inside of a tree are found by its root, and all that follows by its chain: two rounds find all. */
const ROUNDS = 3;
const MAX_CHAINS = 1000;
const MAX_TURNS = 5000;

export interface FoundTree extends ShownTree {
  totals: { tokens: number; cost: number };
}

/** Puts a tree together of what each service knows of it. */
@Injectable()
export class CausesReader {
  constructor(private readonly bus: Bus) {}

  async tree(ctx: Ctx, kind: ActivityKind, id: string): Promise<FoundTree> {
    const { scope } = ACTIVITY_RULES[kind];
    if (!hasScope(ctx.scopes, scope)) throw new AppError('FORBIDDEN', `${lacksScope(ctx, scope)}.`);
    const start = await this.found(ctx, kind, id);
    if (!start || !maySee(ctx, { kind, userId: start.userId, audience: start.audience })) throw notFound(kind);
    const root = await this.rootOf(ctx, start);
    const nodes = await this.collect(ctx, root);
    if (!nodes.has(start.key)) nodes.set(start.key, start);
    const calls = await this.modelCalls(ctx, nodes);
    const tree = causeTree([...nodes.values(), ...calls.items], rootKeyOf(nodes, root, start), (node) =>
      isShown(ctx, node),
    );
    return { ...tree, totals: { tokens: calls.tokens, cost: calls.cost } };
  }

  private async found(ctx: Ctx, kind: ActivityKind, id: string): Promise<CauseNode | undefined> {
    const { items } = await this.bus.call(CAUSE_FINDERS[kind], ctx, { id });
    return items[0];
  }

  /**
   * The id of the record that all goes back to. A chain that begins inside of another tree names that tree's root. The
   * head of a chain may be of a kind that the caller's key does not read: only the id of its root is used.
   */
  private async rootOf(ctx: Ctx, start: CauseNode): Promise<string> {
    const own = idOf(start);
    if (start.root !== null) return start.root;
    if (start.correlationId === null || start.correlationId === own) return own;
    const heads = await Promise.all(
      (['emission', 'execution'] as const).map((kind) =>
        this.found(lending(ctx, CAUSE_FINDERS[kind]), kind, start.correlationId as string),
      ),
    );
    return heads.find((head) => head !== undefined)?.root ?? start.correlationId;
  }

  private async collect(ctx: Ctx, root: string): Promise<Map<string, CauseNode>> {
    const nodes = new Map<string, CauseNode>();
    const requested = new Set<string>();
    let chains = [root];
    for (let round = 0; round < ROUNDS && chains.length > 0; round += 1) {
      const query = { roots: round === 0 ? [root] : [], correlations: chains };
      for (const chain of chains) requested.add(chain);
      const answers = await Promise.all([
        ...PARTS.map(({ list }) => this.bus.call(list, ctx, query)),
        ...(round === 0 ? [this.bus.call(JobCauseCalls.list, ctx, query)] : []),
      ]);
      for (const node of answers.flatMap(({ items }) => items)) {
        nodes.set(node.key, node);
        for (const step of stepNodes(node)) nodes.set(step.key, step);
      }
      chains = [...nodes.values()]
        .filter(({ kind, correlationId, id }) => (kind === 'emission' || kind === 'execution') && correlationId === id)
        .map(({ id }) => id)
        .filter((id) => !requested.has(id))
        .slice(0, MAX_CHAINS);
    }
    return nodes;
  }

  private async modelCalls(
    ctx: Ctx,
    nodes: ReadonlyMap<string, CauseNode>,
  ): Promise<{ items: CauseNode[]; tokens: number; cost: number }> {
    const turns = [...nodes.values()].filter(({ kind }) => kind === 'turn');
    const turnIds = [...new Set([...nodes.values()].flatMap((node) => node.turnIds))].slice(0, MAX_TURNS);
    if (turnIds.length === 0) return { items: [], tokens: 0, cost: 0 };
    const calls = await this.bus.call(RelayCauseCalls.modelCalls, ctx, { turnIds });
    const items = calls.items.flatMap((call) => {
      const named = turns.filter(({ id }) => call.turnIds[0] === id);
      const turn = named.find(({ userId }) => call.userId === userId);
      // The id of a turn is the word of its user: another user may have used the same.
      return named.length > 0 && !turn ? [] : { ...call, parentKey: turn?.key ?? null };
    });
    if (calls.items.length > MAX_CAUSE_NODES) return { ...calls, items };
    const tokens = items.reduce((all, call) => all + (call.tokens ?? 0), 0);
    return { items, tokens, cost: items.reduce((all, call) => addCosts(all, call.cost ?? 0), 0) };
  }
}

/** The id by which others name a record: of a turn, its key. */
const idOf = ({ kind, key, id }: CauseNode): string => (kind === 'turn' ? key.slice('turn:'.length) : id);

const rootKeyOf = (nodes: ReadonlyMap<string, CauseNode>, root: string, start: CauseNode): string =>
  ['emission', 'execution', 'job', 'turn'].map((kind) => `${kind}:${root}`).find((key) => nodes.has(key)) ?? start.key;

const isShown = (ctx: Ctx, { kind, userId, audience }: CauseNode): boolean => {
  if (!hasScope(ctx.scopes, SCOPE_OF_NODE[kind])) return false;
  if (kind === 'emission' || kind === 'delivery') return maySee(ctx, { kind: 'emission', userId, audience });
  if (kind === 'job') return maySee(ctx, { kind: 'job', userId });
  return kind === 'turn' || kind === 'tool_call' || kind === 'model_call'
    ? maySee(ctx, { kind: 'turn', userId })
    : true;
};

const notFound = (kind: ActivityKind): AppError =>
  new AppError('NOT_FOUND', `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)} not found`);
