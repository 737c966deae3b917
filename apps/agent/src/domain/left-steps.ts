import type { ToolExecution, TurnResult } from '@switchyard/contracts';
import { saidSteps } from './said-steps';
import type { StepMessage, Usage } from './turn-state';

/** A call of a message; its arguments stand with its execution, as soon as it has one. */
interface LeftCall {
  id: string;
  name: string;
  arguments?: unknown;
}

interface LeftMessage {
  id: string;
  model?: string;
  /** Null where it is the answer of the result. */
  text: string | null;
  /** Null where it is the reasoning of the result. */
  reasoning?: string | null;
  calls?: LeftCall[];
  usage?: Usage;
}

/** What a turn said, in the order in which it did: messages of its model, and tools that it ran. */
export type LeftStep = LeftMessage | { tool: string };

/** What is left of earlier messages beside the answer, in characters. What is older than that was said long ago. */
const LEFT_CHARS = 64 * 1024;

/** The steps of a turn for whoever must say its last frames in its holder's place: little, beside the result itself. */
export function leaveSteps(steps: readonly StepMessage[], result: TurnResult): LeftStep[] {
  const left: LeftStep[] = [];
  const executed = new Set(result.tool_executions.map((execution) => execution['tool_call_id']));
  let room = LEFT_CHARS;
  for (const step of saidSteps(steps).reverse()) {
    if (step.role === 'tool') {
      left.push({ tool: step.toolCallId ?? '' });
      continue;
    }
    const message = leaveMessage(step, result, executed);
    room -= (message.text?.length ?? 0) + (message.reasoning?.length ?? 0);
    if (room < 0) break;
    left.push(message);
  }
  return left.reverse();
}

const leaveMessage = (step: StepMessage, result: TurnResult, executed: ReadonlySet<unknown>): LeftMessage => ({
  id: step.id ?? '',
  ...(step.model === undefined ? {} : { model: step.model }),
  text: step.text === result.answer ? null : step.text,
  ...(step.reasoning ? { reasoning: step.reasoning === result.reasoning ? null : step.reasoning } : {}),
  ...(step.toolCalls
    ? {
        calls: step.toolCalls.map((call) => (executed.has(call.id) ? { id: call.id, name: call.name } : { ...call })),
      }
    : {}),
  ...(step.usage ? { usage: step.usage } : {}),
});

/** The steps again, as the turn had them; of a tool, which one it was. */
export function stepsLeft(left: readonly LeftStep[], result: TurnResult): StepMessage[] {
  const executions = executionsOf(result);
  return left.map((step) => {
    if ('tool' in step) return { role: 'tool', text: '', toolCallId: step.tool };
    const { id, model, text, reasoning, calls, usage } = step;
    return {
      id,
      role: 'assistant',
      text: text ?? result.answer,
      ...(reasoning === undefined ? {} : { reasoning: reasoning ?? result.reasoning ?? '' }),
      ...(calls
        ? {
            toolCalls: calls.map((call) => ({
              ...call,
              arguments:
                'arguments' in call
                  ? call.arguments
                  : executions.find(({ tool_call_id }) => tool_call_id === call.id)?.arguments,
            })),
          }
        : {}),
      ...(usage ? { usage } : {}),
      ...(model === undefined ? {} : { model }),
    };
  });
}

export const executionsOf = (result: TurnResult): ToolExecution[] =>
  result.tool_executions as unknown as ToolExecution[];
