import { AgentCalls, AgentStreams, TurnResult } from '@switchyard/contracts';
import { defineTool } from '../tool';
import { CallAgent, ExecuteAgent, callAgent, executeAgent } from './call-agent';

export const agentTools = [
  defineTool({
    name: 'call_agent',
    title: 'Talk to an agent',
    description:
      'Sends a message to an agent and waits for its answer; the text so far arrives as progress. Give sessionId to go on with a conversation, and the same turnId only to retry the same message. The agent may have a question: a client that can is asked it at once; else the status is WAITING_INPUT, to be answered with answer_interaction.',
    asks: true,
    calls: AgentStreams.chat,
    hints: {},
    input: CallAgent,
    output: TurnResult,
    run: callAgent,
  }),
  defineTool({
    name: 'execute_agent',
    title: 'Run an agent once',
    description:
      'Runs an agent on inputs and answers with its result. Without session_id nothing of it is kept but the usage.',
    calls: AgentCalls.execute,
    hints: {},
    input: ExecuteAgent,
    output: TurnResult,
    run: executeAgent,
  }),
];
