import {
  AgentCalls,
  AgentStreams,
  CancelOutcome,
  Field,
  InboxInteraction,
  INTERACTION_PURPOSES,
  type InteractionPurpose,
  PageRequest,
  TurnResult,
  f,
  pageOf,
} from '@switchyard/contracts';
import { defineTool } from '../tool';
import { AnswerQuestion, answerInteraction } from './call-agent';

class PendingArguments extends PageRequest {
  @Field(f.id(), { optional: true }) agentId?: string;
  @Field(f.id(), { optional: true }) sessionId?: string;
  @Field(f.oneOf(INTERACTION_PURPOSES), { optional: true }) purpose?: InteractionPurpose;
}

class CancelTurnArguments {
  @Field(f.id()) agentId!: string;
  @Field(f.id()) turnId!: string;
}

export const sessionTools = [
  defineTool({
    name: 'list_pending_interactions',
    title: 'List open questions and approvals',
    description: 'Questions of agents that wait for your choice, and calls of tools that wait for your approval.',
    calls: AgentCalls.listInteractions,
    hints: { readOnly: true },
    input: PendingArguments,
    output: pageOf(InboxInteraction),
    run: (input, { bus, ctx }) => bus.call(AgentCalls.listInteractions, ctx, { ...input, status: 'PENDING' }),
  }),
  defineTool({
    name: 'answer_interaction',
    title: 'Answer a question or an approval',
    description:
      "Answers an agent's question, or approves or denies calls of tools, by option ids, and waits for the end of the turn. An answer counts once.",
    asks: true,
    calls: AgentStreams.resume,
    hints: { idempotent: true },
    input: AnswerQuestion,
    output: TurnResult,
    run: answerInteraction,
  }),
  defineTool({
    name: 'cancel_turn',
    title: 'Cancel a turn',
    description: 'Stops a turn that runs or waits. What was used until then is metered.',
    calls: AgentCalls.cancelTurn,
    hints: { destructive: true, idempotent: true },
    input: CancelTurnArguments,
    output: CancelOutcome,
    run: (input, { bus, ctx }) => bus.call(AgentCalls.cancelTurn, ctx, input),
  }),
];
