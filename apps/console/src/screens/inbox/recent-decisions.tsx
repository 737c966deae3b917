import { type ReactNode, type RefObject, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { InboxInteraction } from '@switchyard/client';
import { useRefresh } from '../../api/use-refresh';
import { useClient, useMay, useSession } from '../../session/session-context';
import { Badge, StatusBadge } from '../../ui/badge';
import { Time } from '../../ui/time';
import { useInView } from '../../ui/use-in-view';
import { decisionOf } from './decision';
import { outcomeOf, verdictOf } from './outcome';
import { useToolFacts } from './use-tool-facts';
import { useUserNames } from './use-user-names';

/** The newest ones are enough: the activity has them all. */
const SHOWN = 5;
const READ = 50;
/** While a turn runs, it is read again after this long, in case the event of its end was missed. */
const READ_AGAIN_MS = 10_000;

/** The latest decisions, each with its results. */
export function RecentDecisions({ heading }: { heading: RefObject<HTMLHeadingElement | null> }): ReactNode {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['interactions', 'decided'],
    queryFn: () => client.turns.interactions({ limit: READ }),
  });
  const decided = useMemo(
    () => (data?.items ?? []).filter(({ status }) => status !== 'PENDING').slice(0, SHOWN),
    [data],
  );
  return (
    <section aria-labelledby="decided" className={decided.length === 0 ? 'sr-only' : 'mt-8 max-w-6xl'}>
      <h2 id="decided" ref={heading} tabIndex={-1} className="mb-2 font-semibold outline-none">
        {decided.length === 0 ? 'Nothing decided yet' : 'Decided'}
      </h2>
      {decided.length > 0 && (
        <ul className="card divide-y divide-line">
          {decided.map((interaction) => (
            <One key={interaction.id} interaction={interaction} />
          ))}
        </ul>
      )}
    </section>
  );
}

function One({ interaction }: { interaction: InboxInteraction }): ReactNode {
  const client = useClient();
  const { user } = useSession();
  const isAdmin = useMay('ADMIN');
  const nameOf = useUserNames();
  const mayRead = interaction.userId === user.id || isAdmin;
  const [row, isSeen] = useInView<HTMLLIElement>();
  const factsOf = useToolFacts(interaction, isSeen);
  const { calls = [], prompt, turnId, sessionId, answeredAt, answeredBy, createdAt } = interaction;
  const key = ['outcome', turnId];
  const { data } = useQuery({
    queryKey: key,
    queryFn: async () => {
      const [tree, messages] = await Promise.all([
        client.activity.causes('turn', turnId),
        client.sessions.messages(sessionId, { turnId, limit: 100 }),
      ]);
      const turn = tree.nodes.find(({ kind, id }) => kind === 'turn' && id === turnId);
      return { status: turn?.status ?? null, messages: messages.items };
    },
    enabled: isSeen && mayRead,
    retry: false,
    refetchInterval: ({ state }) => state.data?.status === 'RUNNING' && READ_AGAIN_MS,
  });
  useRefresh(key, ({ id }) => id === turnId);
  const verdict = verdictOf(interaction);
  const { results, answer } = outcomeOf(interaction, data?.messages ?? []);
  const [call] = calls;
  const decision = calls.length === 1 && call ? decisionOf(call, factsOf(call)).question : prompt;
  return (
    <li ref={row} className="grid gap-1 px-4 py-3">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Badge tone={verdict.tone}>{verdict.words}</Badge>
        <span className="min-w-0 flex-1 basis-60 font-medium wrap-anywhere" dir="auto">
          {decision}
        </span>
        <span className="text-sm text-faint">
          {typeof answeredBy === 'string' && (
            <>
              by <span dir="auto">{answeredBy === user.id ? 'you' : nameOf(answeredBy)}</span>{' '}
            </>
          )}
          <Time at={answeredAt ?? createdAt} />
        </span>
      </div>
      {verdict.note !== null && (
        <p className="line-clamp-3 wrap-anywhere" dir="auto">
          {interaction.purpose === 'approval' ? `Reason: ${verdict.note}` : verdict.note}
        </p>
      )}
      <p className="flex flex-wrap items-center gap-x-3 text-sm text-faint">
        <span className="wrap-anywhere" dir="auto">
          {interaction.agentName ?? 'An agent'}
        </span>
        {mayRead && (
          <Link
            to="/chat/{-$sessionId}"
            params={{ sessionId }}
            className="min-w-0 wrap-anywhere text-accent underline-offset-2 hover:underline"
          >
            {interaction.sessionTitle ?? 'Untitled chat'}
          </Link>
        )}
        {data?.status && <StatusBadge status={data.status} />}
      </p>
      {results.map(({ tool, text, executionId }) => (
        <p key={tool} className="line-clamp-2 text-sm wrap-anywhere text-soft" dir="auto">
          {executionId === null ? (
            `Result: ${text}`
          ) : (
            <>
              Result:{' '}
              <Link to={`/executions/${executionId}`} className="text-accent underline-offset-2 hover:underline">
                the run that it started
              </Link>
            </>
          )}
        </p>
      ))}
      {answer !== null && (
        <p className="line-clamp-2 text-sm wrap-anywhere text-soft" dir="auto">
          {interaction.agentName ?? 'The agent'}: {answer}
        </p>
      )}
    </li>
  );
}
