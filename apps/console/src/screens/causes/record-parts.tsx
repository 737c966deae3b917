import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CauseTree, Frame, Message } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { number } from '../../ui/format';
import { Json } from '../../ui/json';
import { Refusal } from '../../ui/note';
import { ErrorState, Loading } from '../../ui/states';
import { useAction } from '../../ui/use-action';
import { LargeJson } from '../executions/large-json';
import { EndpointLink } from '../events/endpoint-link';
import { TaskLink } from '../events/task-link';

/** A record of the activity, or a part of one: as much as is needed to read it. */
export interface PartOf {
  kind: CauseTree['nodes'][number]['kind'];
  id: string;
  agentId?: string | null;
  sessionId?: string | null;
}

interface Props {
  of: PartOf;
  /** The record it belongs to: the execution of a step, the turn of a call, the emission of a delivery. */
  above?: PartOf | undefined;
}

/** Input, output and error of a record. */
export function RecordParts({ of, above }: Props): ReactNode {
  switch (of.kind) {
    case 'execution':
      return <ExecutionParts id={of.id} />;
    case 'step':
      return above?.kind === 'execution' ? <StepParts id={of.id} executionId={above.id} /> : null;
    case 'job':
      return <JobParts id={of.id} />;
    case 'emission':
      return <EmissionParts id={of.id} />;
    case 'delivery':
      return above?.kind === 'emission' ? <Deliveries id={above.id} /> : null;
    case 'turn':
      return <TurnParts key={of.id} turn={of} />;
    case 'tool_call':
      return above?.kind === 'turn' ? <ToolCallParts id={of.id} turn={above} /> : null;
    case 'model_call':
      return (
        <p className="text-soft">
          The numbers of a model call are kept, its text is not. What was said is in the frames of its turn.
        </p>
      );
    case 'record_write':
      return <p className="text-soft">Records of a dataset were written. The dataset shows them as they are now.</p>;
  }
}

/** Loading, refused, or there. */
function Read<T>({ query, children }: { query: UseQueryResult<T>; children: (value: T) => ReactNode }): ReactNode {
  if (query.data !== undefined) return <div className="grid gap-3">{children(query.data)}</div>;
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading label="Loading the record" />;
}

const Part = ({ name, children }: { name: string; children: ReactNode }): ReactNode => (
  <div className="grid min-w-0 gap-1">
    <h3 className="text-xs font-medium text-faint">{name}</h3>
    {children}
  </div>
);

interface ValueProps {
  name: string;
  value: unknown;
  load?: () => Promise<ReadableStream<Uint8Array>>;
}

const isNothing = (value: unknown): boolean => value === null || value === undefined;

const Value = ({ name, value, load }: ValueProps): ReactNode => (
  <Part name={name}>
    {isNothing(value) ? (
      <p className="text-faint">None.</p>
    ) : load ? (
      <LargeJson label={name} value={value} load={load} />
    ) : (
      <Json label={name} value={value} />
    )}
  </Part>
);

const useExecution = (id: string) => {
  const client = useClient();
  return useQuery({ queryKey: ['execution', id], queryFn: () => client.tasks.execution(id) });
};

function ExecutionParts({ id }: { id: string }): ReactNode {
  const client = useClient();
  return (
    <Read query={useExecution(id)}>
      {({ inputs, output, error }) => (
        <>
          <Refusal error={error} />
          <Value name="Input" value={inputs} load={() => client.tasks.executionContent(id, 'inputs')} />
          <Value name="Output" value={output} load={() => client.tasks.executionContent(id, 'output')} />
        </>
      )}
    </Read>
  );
}

function StepParts({ id, executionId }: { id: string; executionId: string }): ReactNode {
  const client = useClient();
  return (
    <Read query={useExecution(executionId)}>
      {({ steps }) => {
        const step = steps.find((one) => one.id === id);
        if (!step) return <p className="text-soft">The execution has no such step any more.</p>;
        const load = (field: 'input' | 'output') => () =>
          client.tasks.executionContent(executionId, `steps.${id}.${field}`);
        return (
          <>
            <Refusal error={step.error} />
            <Value name="Input" value={step.input} load={load('input')} />
            <Value name="Output" value={step.output} load={load('output')} />
          </>
        );
      }}
    </Read>
  );
}

function JobParts({ id }: { id: string }): ReactNode {
  const client = useClient();
  const query = useQuery({ queryKey: ['jobs', id], queryFn: () => client.jobs.get(id) });
  return (
    <Read query={query}>
      {({ input, result, error }) => (
        <>
          <Refusal error={error} />
          <Value name="Input" value={input} />
          <Value name="Output" value={result} />
        </>
      )}
    </Read>
  );
}

const useEnvelope = (id: string) => {
  const client = useClient();
  return useQuery({ queryKey: ['events', 'envelope', id], queryFn: () => client.events.envelope(id) });
};

const EmissionParts = ({ id }: { id: string }): ReactNode => (
  <>
    <Read query={useEnvelope(id)}>
      {({ payload, error }) => (
        <>
          <Refusal error={error} />
          <Value name="Input" value={payload} />
        </>
      )}
    </Read>
    <Deliveries id={id} />
  </>
);

/** Work that an emission has started. */
const Deliveries = ({ id }: { id: string }): ReactNode => (
  <Read query={useEnvelope(id)}>
    {({ deliveries }) => (
      <Part name="Output">
        {deliveries.length === 0 ? (
          <p className="text-faint">None: no subscription matched.</p>
        ) : (
          <ul className="grid gap-1.5">
            {deliveries.map(({ subscriptionId, replay, taskId, endpointId, executionId, status }) => (
              <li
                key={`${subscriptionId ?? ''}-${endpointId ?? ''}-${replay}`}
                className="flex flex-wrap items-center gap-2"
              >
                <span className="min-w-0 flex-1 basis-32">
                  {taskId !== null && <TaskLink taskId={taskId} />}
                  {endpointId !== null && <EndpointLink endpointId={endpointId} />}
                </span>
                {executionId !== null && (
                  <Link to={`/executions/${executionId}`} title={executionId} className="text-accent hover:underline">
                    Execution
                  </Link>
                )}
                <StatusBadge status={status} />
              </li>
            ))}
          </ul>
        )}
      </Part>
    )}
  </Read>
);

/** A turn has few messages, so one page holds them, but for one that calls tools without end. */
function useMessages({ id, sessionId }: PartOf): UseQueryResult<Message[]> {
  const client = useClient();
  return useQuery({
    queryKey: ['turn', id, 'messages'],
    queryFn: async () =>
      sessionId ? (await client.sessions.messages(sessionId, { turnId: id, limit: 100 })).items : [],
  });
}

const textOf = ({ content }: Message): string =>
  content.flatMap((item) => (item.type === 'text' && item.text ? [item.text] : [])).join('\n');

const Text = ({ name, of }: { name: string; of: readonly Message[] }): ReactNode => {
  const text = of.map(textOf).filter(Boolean).join('\n\n');
  return (
    <Part name={name}>
      {text === '' ? (
        <p className="text-faint">None.</p>
      ) : (
        <p className="max-h-80 overflow-auto whitespace-pre-wrap wrap-anywhere" dir="auto" tabIndex={0}>
          {text}
        </p>
      )}
    </Part>
  );
};

function TurnParts({ turn }: { turn: PartOf }): ReactNode {
  const client = useClient();
  const { id, agentId, sessionId } = turn;
  const messages = useMessages(turn);
  const state = useQuery({
    queryKey: ['turn', id, 'state'],
    queryFn: () => client.turns.get({ agentId: agentId ?? '', turnId: id }),
    enabled: Boolean(agentId),
  });
  return (
    <div className="grid gap-3">
      <Refusal error={state.data?.error ?? null} />
      {sessionId ? (
        <Read query={messages}>
          {(all) => (
            <>
              <Text name="Input" of={all.filter(({ role }) => role === 'user')} />
              <Text name="Output" of={all.filter(({ role }) => role === 'assistant')} />
            </>
          )}
        </Read>
      ) : (
        <p className="text-soft">This turn has no session: its texts were not stored.</p>
      )}
      {agentId && <FramesOf turn={{ agentId, turnId: id }} />}
    </div>
  );
}

const DRAW_MS = 500;
const MOST_FRAMES = 500;

/** As they travelled, numbered without a gap. */
function FramesOf({ turn }: { turn: { agentId: string; turnId: string } }): ReactNode {
  const client = useClient();
  const [frames, setFrames] = useState<Frame[] | null>(null);
  const abort = useRef(new AbortController());
  useEffect(() => {
    const own = new AbortController();
    abort.current = own;
    return () => own.abort();
  }, []);
  const loading = useAction(async () => {
    const { signal } = abort.current;
    const stream = await client.turns.attach(turn, { signal });
    const all: Frame[] = [];
    // Those of a turn that runs come as long as it does.
    const drawing = setInterval(() => setFrames([...all]), DRAW_MS);
    try {
      for await (const frame of stream.frames()) all.push(frame);
    } catch (problem) {
      if (!signal.aborted) throw problem;
    } finally {
      clearInterval(drawing);
      setFrames(all);
    }
  });
  return (
    <Part name="Frames">
      {frames === null ? (
        <Button size="small" className="w-fit" isBusy={loading.isBusy} onClick={() => void loading.run()}>
          Load frames
        </Button>
      ) : (
        <ol
          className="max-h-80 overflow-auto rounded-lg border border-line font-mono text-xs"
          aria-label="Frames"
          tabIndex={0}
        >
          {frames.slice(0, MOST_FRAMES).map(({ seq, method, params }) => (
            <li key={seq} className="border-b border-line px-2 py-1 break-all last:border-b-0">
              <span className="text-accent">{seq}</span> <span className="text-soft">{method}</span>{' '}
              <span className="text-faint">{JSON.stringify(params.data)}</span>
            </li>
          ))}
        </ol>
      )}
      {frames !== null && frames.length > MOST_FRAMES && (
        <p className="text-sm text-faint">
          The first {number(MOST_FRAMES)} of {number(frames.length)}.
        </p>
      )}
      <Refusal error={loading.error} />
    </Part>
  );
}

function ToolCallParts({ id, turn }: { id: string; turn: PartOf }): ReactNode {
  const query = useMessages(turn);
  return (
    <Read query={query}>
      {(messages) => {
        const call = messages.flatMap(({ toolCalls }) => toolCalls ?? []).find((one) => one.id === id);
        const result = messages.find(({ toolCallId }) => toolCallId === id);
        return (
          <>
            <Value name="Input" value={call?.arguments} />
            <Text name="Output" of={result ? [result] : []} />
          </>
        );
      }}
    </Read>
  );
}
