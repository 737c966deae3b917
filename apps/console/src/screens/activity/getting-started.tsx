import { type ReactNode, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Agent, type Dataset, type NewAgent, type NewApiKey, type NewDataset, text } from '@switchyard/client';
import { Check } from 'lucide-react';
import { useClient } from '../../session/session-context';
import { Button } from '../../ui/button';
import { CodeBlock } from '../../ui/code-block';
import { Refusal } from '../../ui/note';
import { Page } from '../../ui/page';
import { OneTimeSecret } from '../../ui/one-time-secret';
import { type Action, useAction } from '../../ui/use-action';
import { callOf, chatCallOf } from './first-calls';
import { firstModel } from './first-model';

const AGENT_NAME = 'First agent';
const QUESTION = 'Hello!';
const PROMPT = 'You are friendly and brief.';
const KEY: NewApiKey = { name: 'First key', scopes: ['agents:read', 'agents:call'] };
const DATASET: NewDataset = {
  name: 'First dataset',
  schema: {
    fields: [
      { name: 'question', type: 'string', required: true },
      { name: 'answer', type: 'text', required: true },
    ],
  },
};
const RECORDS = [
  { question: 'When are you open?', answer: 'From nine to five, Monday to Friday.' },
  { question: 'Where are you?', answer: 'Beside the tracks, at platform two.' },
];

/** The agent's prompt once a dataset exists. */
const readerOf = ({ id }: Dataset): { systemPrompt: string; tools: NonNullable<NewAgent['tools']> } => ({
  systemPrompt: `${PROMPT} What you know is in the dataset ${id}: query it before you answer.`,
  tools: ['query_dataset'],
});

type FirstAgent = Pick<Agent, 'id' | 'name' | 'model'>;

/** Records that the steps made before a reload. Records of other names belong to the person, and stay as they are. */
function useEarlier(): { agent: FirstAgent | undefined; hasKey: boolean; dataset: Pick<Dataset, 'id'> | undefined } {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['first-steps'],
    queryFn: async () => {
      const [agents, keys, datasets] = await Promise.all([
        client.agents.list({ q: AGENT_NAME, limit: 10 }),
        client.keys.list({ limit: 100 }),
        client.datasets.list({ limit: 100 }),
      ]);
      return {
        agent: agents.items.find(({ name }) => name === AGENT_NAME),
        hasKey: keys.items.some(({ name, status }) => name === KEY.name && status === 'ACTIVE'),
        dataset: datasets.items.find(({ name }) => name === DATASET.name),
      };
    },
    staleTime: Infinity,
  });
  return data ?? { agent: undefined, hasKey: false, dataset: undefined };
}

/** An empty Space greets: each step does it for real, and shows the calls that it has made. */
export function GettingStarted({ onDone }: { onDone: () => void }): ReactNode {
  const client = useClient();
  const earlier = useEarlier();
  const [newAgent, setAgent] = useState<FirstAgent | null>(null);
  const agent = newAgent ?? earlier.agent ?? null;
  const [answer, setAnswer] = useState<string | null>(null);
  const [key, setKey] = useState<string | null>(null);
  const [isKeyMade, setKeyMade] = useState(false);
  const [dataset, setDataset] = useState<Dataset | null>(null);
  const [isRead, setRead] = useState(false);

  // When a later part of a step fails, a retry does not create the earlier parts again.
  const makeAgent = useAction(
    async () => {
      let made = agent;
      if (made === null) {
        const [models, builtIn] = await Promise.all([client.models.list(), client.agents.listSystem()]);
        const model = firstModel(models, builtIn.items);
        made = await client.agents.create({ name: AGENT_NAME, model, systemPrompt: PROMPT });
        setAgent(made);
      }
      const result = await client.agents.ask(made.id, { contents: text(QUESTION) });
      setAnswer(result.answer);
    },
    { changes: [['agents'], ['sessions']] },
  );
  const makeKey = useAction(
    async () => {
      const made = await client.keys.create(KEY);
      setKey(made.key ?? null);
      setKeyMade(true);
    },
    { changes: [['keys']] },
  );
  const makeDataset = useAction(
    async () => {
      if (agent === null) return;
      let made = dataset;
      if (made === null) {
        made = await client.datasets.create(DATASET);
        setDataset(made);
      }
      await client.datasets.insert(made.id, RECORDS, { idempotencyKey: made.id });
      await client.agents.update(agent.id, readerOf(made));
      setRead(true);
    },
    { changes: [['agents'], ['agent', agent?.id], ['datasets']] },
  );

  return (
    <Page
      title="Activity"
      description="Welcome to your Space. Three steps to get started."
      actions={<Button onClick={onDone}>Go to the activity</Button>}
    >
      <ol aria-label="First steps" className="grid max-w-3xl gap-4">
        <Step
          number={1}
          title="An agent that answers"
          does="Creates an agent and asks it a question."
          button="Create agent"
          action={makeAgent}
          isDone={answer !== null || earlier.agent !== undefined}
        >
          {agent && answer === null && earlier.agent && (
            <Link to={`/agents/${agent.id}`} className="text-accent underline underline-offset-2">
              Open the agent
            </Link>
          )}
          {agent && answer !== null && (
            <>
              <p className="rounded-lg bg-sunken px-3 py-2 wrap-anywhere" dir="auto">
                {answer}
              </p>
              <CodeBlock
                label="How the agent was created"
                text={callOf('POST', '/agents', { name: agent.name, model: agent.model, systemPrompt: PROMPT })}
              />
              <CodeBlock label="How it was asked" text={chatCallOf(agent.id, QUESTION)} />
              <Link to={`/agents/${agent.id}`} className="text-accent underline underline-offset-2">
                Open the agent
              </Link>
            </>
          )}
        </Step>
        <Step
          number={2}
          title="A key for your program"
          does="Creates a key that can read and call the agents of this Space, and nothing else."
          button="Create key"
          action={makeKey}
          isDone={isKeyMade || earlier.hasKey}
        >
          {isKeyMade && <CodeBlock label="How the key was created" text={callOf('POST', '/api-keys', KEY)} />}
        </Step>
        <Step
          number={3}
          title="A dataset that it can read"
          does="Two records, and the agent gets the tool to query them."
          button="Create dataset"
          action={makeDataset}
          isDone={isRead || earlier.dataset !== undefined}
          waitsFor={agent === null ? 'The agent comes first.' : undefined}
        >
          {!isRead && earlier.dataset && (
            <Link to={`/datasets/${earlier.dataset.id}`} className="text-accent underline underline-offset-2">
              Open the dataset
            </Link>
          )}
          {agent && dataset && isRead && (
            <>
              <CodeBlock label="How the dataset was created" text={callOf('POST', '/datasets', DATASET)} />
              <CodeBlock
                label="How its records came in"
                text={callOf('POST', `/datasets/${dataset.id}/data/insert`, { records: RECORDS })}
              />
              <CodeBlock label="How the agent got it" text={callOf('PUT', `/agents/${agent.id}`, readerOf(dataset))} />
              <Link
                to="/chat/{-$sessionId}"
                params={{ sessionId: undefined }}
                search={{ new: '1', agent: agent.id }}
                className="text-accent underline underline-offset-2"
              >
                Ask the agent: when are you open?
              </Link>
            </>
          )}
        </Step>
      </ol>
      <OneTimeSecret title="Your key" label="Key" value={key} onDone={() => setKey(null)}>
        {key !== null && (
          <CodeBlock
            label="First call"
            text={agent ? chatCallOf(agent.id, QUESTION, key) : callOf('GET', '/agents', undefined, key)}
          />
        )}
      </OneTimeSecret>
    </Page>
  );
}

interface StepProps {
  number: number;
  title: string;
  does: string;
  button: string;
  action: Action<[]>;
  isDone: boolean;
  waitsFor?: string | undefined;
  children: ReactNode;
}

function Step({ number, title, does, button, action, isDone, waitsFor, children }: StepProps): ReactNode {
  return (
    <li className="card grid gap-3 p-4">
      <div className="flex flex-wrap items-start gap-3">
        <span className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent">
          {isDone ? <Check className="size-4" aria-label="Done" /> : number}
        </span>
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="font-semibold">{title}</h2>
          <p className="text-soft">{waitsFor ?? does}</p>
        </div>
        {!isDone && (
          <Button
            look="primary"
            disabled={waitsFor !== undefined}
            isBusy={action.isBusy}
            onClick={() => void action.run()}
          >
            {button}
          </Button>
        )}
      </div>
      <Refusal error={action.error} />
      {children}
    </li>
  );
}
