import { type AgentBody, type AgentRecord, emptyBody } from '../domain/stored-agent';

const SINCE = '2026-01-01T00:00:00.000Z';

interface Builtin {
  id: string;
  description: string;
  body: (model: string) => AgentBody;
}

const BUILTIN: readonly Builtin[] = [
  {
    id: '00000000-0000-7000-8000-000000000001',
    description: 'Answers questions and asks back when something is unclear.',
    body: (model) => ({
      ...emptyBody(
        'assistant',
        model,
        'You are a helpful assistant. Answer clearly and briefly. Ask the user when you need a decision.',
      ),
      tools: ['ask_user'],
    }),
  },
  {
    id: '00000000-0000-7000-8000-000000000002',
    description: 'Sums up a text in a few sentences.',
    body: (model) => ({
      ...emptyBody(
        'summarizer',
        model,
        'Sum up the text that the user gives, in at most five sentences, without adding anything.',
      ),
      agentType: 'TASK',
    }),
  },
  {
    id: '00000000-0000-7000-8000-000000000003',
    description: 'Draws the facts out of a text as JSON.',
    body: (model) => ({
      ...emptyBody(
        'extractor',
        model,
        'Draw the facts out of the text that the user gives. Answer with one JSON object and nothing else.',
      ),
      agentType: 'TASK',
    }),
  },
];

/** The agents that every Space has. */
export const systemAgents = (model: string): AgentRecord[] =>
  BUILTIN.map(({ id, description, body }) => ({
    ...body(model),
    description,
    id,
    system: true,
    version: 1,
    createdBy: null,
    createdAt: SINCE,
    updatedAt: SINCE,
    secrets: {},
  }));
