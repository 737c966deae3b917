import type { ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Activity, Answer, InboxInteraction } from '@switchyard/client';
import { useClient, useMay, useSession } from '../../session/session-context';
import { refusalOfAnswer } from '../../ui/interaction-answer';
import { Badge } from '../../ui/badge';
import { cost, duration, exactTime, number } from '../../ui/format';
import { Json } from '../../ui/json';
import { Question } from '../../ui/question';
import { Time } from '../../ui/time';
import { toast } from '../../ui/toast';
import { useInView } from '../../ui/use-in-view';
import { type CallQuestion, type Input, decisionOf, effectsOf } from './decision';
import { LastMessages } from './last-messages';
import { useToolFacts } from './use-tool-facts';

interface Props {
  interaction: InboxInteraction;
  now: number;
  /** Its turn as the activity lists it: what it has cost so far. */
  turn: Activity | undefined;
  userName: string;
  onAnswered: () => void;
}

/** One question or approval: what is to be decided, and what a person needs to know for it. */
export function OpenInteraction({ interaction, now, turn, userName, onAnswered }: Props): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const { user } = useSession();
  const isAdmin = useMay('ADMIN');
  const [row, isSeen] = useInView<HTMLTableRowElement>();
  const factsOf = useToolFacts(interaction, isSeen);
  const { calls = [], sessionId, sessionTitle, userId } = interaction;
  const agent = interaction.agentName ?? 'The agent';
  const isApproval = interaction.purpose === 'approval';
  const isMine = userId === user.id;
  const decisions = calls.map((call) => decisionOf(call, factsOf(call)));
  const answer = async (given: Answer): Promise<void> => {
    try {
      // The turn goes on by itself, and its stream is read where its chat is open.
      const refusal = refusalOfAnswer(await client.turns.answer(interaction, interaction, given), given);
      if (refusal) throw refusal;
      toast.done(`Answer sent to ${interaction.agentName ?? 'the agent'}.`);
      onAnswered();
    } catch (error) {
      // Its row may be gone in a moment: someone else has answered.
      toast.failed(error);
      throw error;
    } finally {
      void queries.invalidateQueries({ queryKey: ['interactions'] });
    }
  };
  const remaining = Date.parse(interaction.expiresAt) - now;
  return (
    <tr role="row" ref={row} className="card block p-4">
      <td role="cell" className="block">
        <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-faint">
          <Badge tone={isApproval ? 'warn' : 'busy'}>{isApproval ? 'Approval' : 'Question'}</Badge>
          <span className="min-w-0 font-medium wrap-anywhere text-ink" dir="auto">
            {interaction.agentName ?? 'An agent'}
          </span>
          <span className="ml-auto flex flex-wrap gap-x-3 max-sm:ml-0">
            <span>
              asked <Time at={interaction.createdAt} />
            </span>
            <span title={`Until ${exactTime(interaction.expiresAt)}`}>
              {remaining > 0 ? `${remainingOf(remaining)} left` : 'expired'}
            </span>
          </span>
        </div>
        <div className="grid items-start gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <Question
            interaction={withDecisions(interaction, decisions)}
            onAnswer={answer}
            isOver={remaining <= 0}
            about={isApproval && <About interaction={interaction} decisions={decisions} agent={agent} />}
          />
          <div className="grid min-w-0 gap-4">
            <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm">
              <Fact name="User">{isMine ? 'You' : userName}</Fact>
              {turn && (
                <>
                  <Fact name="Cost so far">{turn.cost === null ? 'Not known yet' : cost(turn.cost)}</Fact>
                  <Fact name="Tokens so far">{number(turn.tokens ?? 0)}</Fact>
                </>
              )}
              {(isMine || isAdmin) && (
                <Fact name="What led to it">
                  <Link
                    to={`/causes/turn/${interaction.turnId}`}
                    className="text-accent underline-offset-2 hover:underline"
                  >
                    Causes
                  </Link>
                </Fact>
              )}
            </dl>
            {isMine || isAdmin ? (
              <LastMessages
                sessionId={sessionId}
                title={sessionTitle}
                agent={agent}
                user={isMine ? 'You' : userName}
                isSeen={isSeen}
              />
            ) : (
              <p className="text-sm text-soft">Only the user of this chat and admins can read its messages.</p>
            )}
          </div>
        </div>
      </td>
    </tr>
  );
}

/** The same form, in the words of what is decided. */
function withDecisions(interaction: InboxInteraction, decisions: readonly CallQuestion[]): InboxInteraction {
  const { calls = [], options } = interaction;
  const [first] = decisions;
  if (first === undefined) return interaction;
  if (decisions.length === 1) return { ...interaction, prompt: first.question };
  return {
    ...interaction,
    prompt: `Which of these ${decisions.length} calls may run?`,
    options: options.map((option) => {
      const decision = decisions[calls.findIndex(({ call_id }) => call_id === option.id)];
      if (decision === undefined) return option;
      const description = decision.inputs.map(({ label, value }) => `${label}: ${value}`).join('\n');
      return { id: option.id, label: decision.question.slice(0, -1), ...(description === '' ? {} : { description }) };
    }),
  };
}

const SOURCES = { builtin: 'Built-in tool', mcp: 'Tool of an MCP server', local: 'Tool of the application' } as const;

interface AboutProps {
  interaction: InboxInteraction;
  decisions: readonly CallQuestion[];
  agent: string;
}

/** Below the sentence of an approval: the rest of the inputs, what follows, and the exact call. */
function About({ interaction: { calls = [], expiresAt }, decisions, agent }: AboutProps): ReactNode {
  const effects = effectsOf(calls, agent);
  const isOne = calls.length === 1;
  return (
    <div className="mt-3 grid gap-3">
      {isOne && decisions[0] && decisions[0].inputs.length > 0 && <Pairs of={decisions[0].inputs} />}
      <Pairs
        of={[
          { label: isOne ? 'Approve' : 'Selected', value: effects.yes },
          { label: isOne ? 'Deny' : 'Not selected', value: effects.no },
          { label: 'No answer', value: `Nothing runs after ${exactTime(expiresAt)}.` },
        ]}
      />
      <details>
        <summary className="w-fit text-sm text-accent underline-offset-2 hover:underline">Details</summary>
        <div className="mt-2 grid gap-3">
          {calls.map((call) => (
            <div key={call.call_id} className="grid gap-2 rounded-lg border border-line bg-surface p-3">
              <p className="text-sm wrap-anywhere">
                <span className="font-mono font-semibold">{call.name}</span>{' '}
                <span className="text-faint">{SOURCES[call.source]}</span>
              </p>
              <Json label={`Arguments of ${call.name}`} value={call.arguments} />
              <p className="text-xs text-faint" title="SHA-256 of the arguments">
                Digest <span className="font-mono break-all">{call.digest}</span>
              </p>
            </div>
          ))}
        </div>
      </details>
    </div>
  );
}

const Pairs = ({ of }: { of: readonly Input[] }): ReactNode => (
  <dl className="grid gap-1 text-sm">
    {of.map(({ label, value }) => (
      <div key={label} className="grid grid-cols-[7rem_minmax(0,1fr)] gap-2 max-sm:grid-cols-1 max-sm:gap-0">
        <dt className="wrap-anywhere text-faint">{label}</dt>
        <dd className="wrap-anywhere whitespace-pre-wrap text-soft" dir="auto">
          {value}
        </dd>
      </div>
    ))}
  </dl>
);

const Fact = ({ name, children }: { name: string; children: ReactNode }): ReactNode => (
  <div className="min-w-0">
    <dt className="text-xs text-faint">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
);

const DAY_MS = 86_400_000;

const remainingOf = (ms: number): string => {
  const days = Math.floor(ms / DAY_MS);
  if (days === 0) return duration(ms);
  return days === 1 ? '1 day' : `${days} days`;
};
