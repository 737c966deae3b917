import { newId } from '@switchyard/kernel';
import type { Random } from '../random';

export const ACT = 'effects__act';
export const WRITE = 'write_dataset';
export type ApprovedTool = typeof ACT | typeof WRITE;

export type Decision = 'approve' | 'some' | 'deny' | 'cancel' | 'leave';

/** Tool calls of one turn, and its user's decisions. */
export interface ApprovalScript {
  name: string;
  turnId: string;
  text: string;
  tools: readonly ApprovedTool[];
  decision: Decision;
  /** Which of its calls may run. */
  approved: readonly ApprovedTool[];
  /** How many answers are sent at the same moment. */
  answers: number;
}

const BOTH: readonly ApprovedTool[] = [WRITE, ACT];
const TOOLS: readonly (readonly ApprovedTool[])[] = [[WRITE], [ACT], BOTH];
const DECISIONS = ['approve', 'approve', 'approve', 'some', 'deny', 'deny', 'cancel', 'leave'] as const;

/**
 * The first line names the turn; what it asks for names it as well, so that each effect can be told from all others.
 */
export function planApproval(random: Random, index: number, datasetId: string): ApprovalScript {
  const name = `turn-${index}`;
  const decision = random.pick(DECISIONS);
  const tools = decision === 'some' ? BOTH : random.pick(TOOLS);
  const amount = random.between(1, 1_000_000);
  const lines = {
    [WRITE]: `@@tool ${WRITE} ${JSON.stringify({ datasetId, operation: 'insert', records: [{ title: name, amount }] })}`,
    [ACT]: `@@tool ${ACT} ${JSON.stringify({ name, amount })}`,
  };
  const approved = decision === 'approve' ? tools : decision === 'some' ? [random.pick(tools)] : [];
  return {
    name,
    turnId: newId(),
    text: [name, ...tools.map((tool) => lines[tool]), '@@reply ended'].join('\n'),
    tools,
    decision,
    approved,
    answers: random.isChance(0.05) ? 20 : random.isChance(0.2) ? 3 : 1,
  };
}
