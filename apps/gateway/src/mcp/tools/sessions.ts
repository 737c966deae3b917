import {
  AgentCalls,
  CancelOutcome,
  Field,
  InteractionView,
  ListMessages,
  ListPendingInteractions,
  ListSessions,
  MessageView,
  SessionCalls,
  SessionView,
  TurnResult,
  f,
  pageOf,
} from '@switchyard/contracts';
import { defineTool } from '../tool';
import { AnswerQuestion, answerInteraction } from './call-agent';

class CancelTurnArguments {
  @Field(f.id()) agentId!: string;
  @Field(f.id()) turnId!: string;
}

export const sessionTools = [
  defineTool({
    name: 'list_sessions',
    title: 'List conversations',
    description: 'Your conversations, newest first.',
    scope: 'sessions:read',
    hints: { readOnly: true },
    input: ListSessions,
    output: pageOf(SessionView),
    run: (input, { bus, ctx }) => bus.call(SessionCalls.list, ctx, input),
  }),
  defineTool({
    name: 'get_session_messages',
    title: 'Read a conversation',
    description: 'The messages of a conversation, oldest first.',
    scope: 'sessions:read',
    hints: { readOnly: true },
    input: ListMessages,
    output: pageOf(MessageView),
    run: (input, { bus, ctx }) => bus.call(SessionCalls.listMessages, ctx, input),
  }),
  defineTool({
    name: 'list_pending_interactions',
    title: 'List open questions',
    description: 'Questions of agents that wait for your choice.',
    scope: 'agents:call',
    hints: { readOnly: true },
    input: ListPendingInteractions,
    output: pageOf(InteractionView),
    run: (input, { bus, ctx }) => bus.call(SessionCalls.listPendingInteractions, ctx, input),
  }),
  defineTool({
    name: 'answer_interaction',
    title: 'Answer a question',
    description: "Answers an agent's question by option ids and waits for the end of the turn. An answer counts once.",
    scope: 'agents:call',
    asks: true,
    hints: { idempotent: true },
    input: AnswerQuestion,
    output: TurnResult,
    run: answerInteraction,
  }),
  defineTool({
    name: 'cancel_turn',
    title: 'Cancel a turn',
    description: 'Stops a turn that runs or waits. What was used until then is metered.',
    scope: 'agents:call',
    hints: { destructive: true, idempotent: true },
    input: CancelTurnArguments,
    output: CancelOutcome,
    run: (input, { bus, ctx }) => bus.call(AgentCalls.cancelTurn, ctx, input),
  }),
];
