import { useCallback, useEffect, useRef, useState } from 'react';
import type { Answer, ContentItem, Interaction, TurnStream } from '@switchyard/client';
import { refusalOfAnswer } from '../ui/interaction-answer';
import { toast } from '../ui/toast';
import { LiveTurn } from './live-turn';
import { useClient } from '../session/session-context';

export type Connection = 'none' | 'connected' | 'reconnecting' | 'restored';

export interface Turn {
  agentId: string;
  turnId: string;
  /** The chat that it was begun in; null for one that begins with it. */
  sessionId: string | null;
  /** Accepted by the API: it continues without the connection. */
  isAccepted: boolean;
  /** The message just sent, until the stored one arrives. */
  said: ContentItem[] | null;
  live: LiveTurn;
}

interface Ask {
  agentId: string;
  sessionId: string | null;
  contents: ContentItem[];
}

type Address = Pick<Turn, 'agentId' | 'turnId' | 'sessionId'>;

interface UseTurn {
  turn: Turn | null;
  connection: Connection;
  error: Error | null;
  /** The stream is open, or opens. */
  isReading: boolean;
  /** Whether it was accepted: what was refused was not said. */
  ask: (request: Ask) => Promise<boolean>;
  attach: (address: Address) => Promise<void>;
  answer: (interaction: Pick<Interaction, 'id' | 'sessionId'>, answer: Answer) => Promise<void>;
  stop: (sessionId: string) => Promise<void>;
  /** Of the turn that was begun or attached to last. */
  turnId: () => string | null;
  breakConnection: () => void;
  forget: () => void;
}

const ECHO_FOR_MS = 4_000;

/**
 * One turn as it happens: begun here, or found running. However often its connection breaks, each frame is taken once.
 */
export function useTurn(): UseTurn {
  const client = useClient();
  const [turn, setTurn] = useState<Turn | null>(null);
  const [connection, setConnection] = useState<Connection>('none');
  const [error, setError] = useState<Error | null>(null);
  const [isReading, setReading] = useState(false);
  const [, draw] = useState(0);
  const stream = useRef<TurnStream | null>(null);
  const abort = useRef<AbortController>(new AbortController());
  const current = useRef<Turn | null>(null);

  const begin = useCallback((next: Turn | null): AbortController => {
    abort.current.abort();
    abort.current = new AbortController();
    current.current = next;
    setTurn(next);
    setError(null);
    setConnection('none');
    return abort.current;
  }, []);

  const read = useCallback(
    async (open: () => Promise<TurnStream>, of: Turn, by: AbortController, onAccepted?: () => void): Promise<void> => {
      let drawing = 0;
      setReading(true);
      try {
        const opened = await open();
        onAccepted?.();
        stream.current = opened;
        setConnection('connected');
        for await (const frame of opened.frames()) {
          of.live.add(frame);
          // As often as the screen is drawn, not as often as words arrive.
          drawing ||= requestAnimationFrame(() => {
            drawing = 0;
            draw((count) => count + 1);
          });
        }
      } catch (problem) {
        if (!by.signal.aborted) setError(problem instanceof Error ? problem : new Error(String(problem)));
      } finally {
        if (!by.signal.aborted) {
          stream.current = null;
          setReading(false);
          setConnection((now) => (now === 'restored' ? now : 'none'));
          draw((count) => count + 1);
        }
      }
    },
    [],
  );

  const options = useCallback((by: AbortController, after: number) => {
    const onConnection = (state: 'reconnecting' | 'connected'): void => {
      if (by.signal.aborted) return;
      setConnection(state === 'connected' ? 'restored' : 'reconnecting');
    };
    return { after, signal: by.signal, onConnection };
  }, []);

  const ask = useCallback(
    ({ agentId, sessionId, contents }: Ask) => {
      const turnId = crypto.randomUUID();
      const next: Turn = { agentId, turnId, sessionId, isAccepted: false, said: contents, live: new LiveTurn() };
      const by = begin(next);
      const request = { contents, turnId, ...(sessionId === null ? {} : { session_id: sessionId }) };
      return new Promise<boolean>((resolve) => {
        const open = (): Promise<TurnStream> => client.agents.chat(agentId, request, options(by, 0));
        const accept = (): void => {
          next.isAccepted = true;
          resolve(true);
        };
        void read(open, next, by, accept).then(() => {
          if (!next.isAccepted && current.current === next) {
            current.current = { ...next, said: null };
            setTurn(current.current);
          }
          resolve(false);
        });
      });
    },
    [begin, client, options, read],
  );

  const attach = useCallback(
    (address: Address) => {
      const existing = current.current?.turnId === address.turnId ? current.current : null;
      const next: Turn = existing ?? { ...address, isAccepted: true, said: null, live: new LiveTurn() };
      const by = begin(next);
      return read(() => client.turns.attach(address, options(by, next.live.frames.at(-1)?.seq ?? 0)), next, by);
    },
    [begin, client, options, read],
  );

  const answer = useCallback(
    async (interaction: Pick<Interaction, 'id' | 'sessionId'>, given: Answer) => {
      const of = current.current;
      if (!of) return;
      const by = begin(of);
      const after = of.live.frames.at(-1)?.seq ?? 0;
      const open = async (): Promise<TurnStream> => {
        const opened = await client.turns.resume(of, interaction, given, options(by, after));
        const refusal = refusalOfAnswer(opened.answeredBefore, given);
        if (refusal) toast.failed(refusal);
        return opened;
      };
      await read(open, of, by);
    },
    [begin, client, options, read],
  );

  const stop = useCallback(
    async (sessionId: string) => {
      if (current.current) await client.turns.cancel(current.current, sessionId);
    },
    [client],
  );

  useEffect(() => () => abort.current.abort(), []);
  useEffect(() => {
    if (connection !== 'restored') return;
    const timer = setTimeout(() => setConnection((now) => (now === 'restored' ? 'none' : now)), ECHO_FOR_MS);
    return () => clearTimeout(timer);
  }, [connection]);

  return {
    turn,
    connection,
    error,
    isReading,
    ask,
    attach,
    answer,
    stop,
    turnId: () => current.current?.turnId ?? null,
    breakConnection: () => stream.current?.breakConnection(),
    forget: useCallback(() => {
      begin(null);
      setReading(false);
    }, [begin]),
  };
}
