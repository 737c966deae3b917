import { type Ctx, EXECUTION_STATUSES, TaskActivityCalls, TaskCalls, TaskCauseCalls } from '@switchyard/contracts';
import type { Peer } from '../../../libs/messaging/test/conformance/peer';
import { type MeasuredCall, answerTimes } from '../answer-times';
import { startGatewayPeer } from '../gateway-peer';
import { ownerCtx } from '../owner-ctx';
import type { BenchContext, BenchRow, Measured } from '../row';
import { ONE_SERVICE } from '../shape';
import { type ExecutionsGround, prepareExecutions } from './executions-ground';

const EXECUTIONS = 1_000_000;
const OF_OTHERS = 300_000;

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

function questions(ground: ExecutionsGround, { bus }: Peer): MeasuredCall[] {
  const ctx = (): Ctx => ownerCtx(ground.space);
  const search = (filter: object) => (): Promise<unknown> => bus.call(TaskCalls.searchExecutions, ctx(), filter);
  const list = (slice: object) => (): Promise<unknown> =>
    bus.call(TaskActivityCalls.list, ctx(), { statuses: [...EXECUTION_STATUSES], limit: 51, ...slice });
  const tree = (root: string) => (): Promise<unknown> =>
    bus.call(TaskCauseCalls.list, ctx(), { roots: [root], correlations: [root] });
  const { taskId, userId, treeId, chainId, oldIds } = ground;
  const path = { beforeAt: daysAgo(20).replace('Z', '000Z'), beforeKey: chainId };
  const middle = { from: daysAgo(16), to: daysAgo(15) };
  return [
    ['executions, newest', search({})],
    ['executions of a task', search({ taskId })],
    ['executions, a common status', search({ status: 'SUCCEEDED' })],
    ['executions, a rare status', search({ status: 'TIMED_OUT' })],
    ['executions, a status that none has', search({ status: 'RUNNING' })],
    ['executions, trigger', search({ trigger: 'MANUAL' })],
    ['executions, from and to', search(middle)],
    ['executions, all filters', search({ taskId, status: 'FAILED', trigger: 'MANUAL', ...middle })],
    ['executions, page of 100, long ago', search({ to: daysAgo(29), limit: 100 })],
    ['activity, newest', list({})],
    ['activity, a rare status', list({ statuses: ['TIMED_OUT'] })],
    ['activity of a user', list({ userId })],
    ['activity, from and to', list(middle)],
    ['activity, a page long ago', list(path)],
    ['counts, all', () => bus.call(TaskActivityCalls.count, ctx(), {})],
    ['counts, a day', () => bus.call(TaskActivityCalls.count, ctx(), middle)],
    ['causes, find', (turn) => bus.call(TaskCauseCalls.find, ctx(), { id: oldIds[turn % oldIds.length] ?? chainId })],
    ['causes, a tree of 1,000 nodes', tree(treeId)],
    ['causes, of 2,400 nodes the first 1,000', tree(chainId)],
    [
      'rerun',
      (turn) => bus.call(TaskCalls.rerun, ctx(), { executionId: oldIds[turn % oldIds.length] ?? chainId, inputs: {} }),
    ],
  ];
}

/** Response time of queries in a Space with a million executions, at the service. Run by name only. */
export const executions: BenchRow = {
  name: 'executions',
  shapes: ONE_SERVICE,
  onlyByName: true,
  async run({ state, report }: BenchContext): Promise<Measured[]> {
    const ground = await prepareExecutions(EXECUTIONS, OF_OTHERS, report);
    const peer = await startGatewayPeer(state);
    try {
      return await answerTimes(questions(ground, peer), { platform: ground.platform, service: 'task', report });
    } finally {
      await peer.stop();
      await ground.platform.database.close();
    }
  },
};
