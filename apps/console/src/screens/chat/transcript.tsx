import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Answer, ContentItem, Interaction } from '@switchyard/client';
import { ArrowDown, MessageSquare } from 'lucide-react';
import type { Turn } from '../../api/use-turn';
import { Button } from '../../ui/button';
import { Refusal } from '../../ui/note';
import { Empty } from '../../ui/states';
import { filesOf, picturesOf } from './attachments';
import { EntryView } from './entry-view';
import type { Entry } from './stored-blocks';

interface Props {
  entries: Entry[];
  turn: Turn | null;
  error: Error | null;
  /** Takes the stream up again, where it was given up. */
  onReconnect: (() => void) | null;
  isReading: boolean;
  onAnswer: (interaction: Interaction, answer: Answer) => Promise<void>;
  /** The message is said anew, in a fork of what came before it; null for who may not fork. */
  onEdit: ((text: string, before: string | null) => void) | null;
}

const NEAR = 120;

export function Transcript({ entries, turn, error, onReconnect, isReading, onAnswer, onEdit }: Props): ReactNode {
  const container = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const shown = [...entries, ...entriesOfTurn(turn, entries)];
  const isEmpty = shown.length === 0 && error === null;
  // Scrolls with new content only if the reader is at the end.
  useLayoutEffect(() => {
    const box = container.current;
    if (box && isAtEnd) box.scrollTop = box.scrollHeight;
  });
  // A turned phone or its keyboard makes the box another one.
  useEffect(() => {
    const box = container.current;
    if (!box || !isAtEnd) return undefined;
    const observer = new ResizeObserver(() => {
      box.scrollTop = box.scrollHeight;
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [isAtEnd]);
  const key = entries[0]?.key;
  useEffect(() => setAtEnd(true), [key]);
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={container}
        role="log"
        aria-label="Transcript"
        aria-busy={isReading}
        tabIndex={0}
        className="h-full overflow-y-auto outline-offset-[-2px]"
        onScroll={({ currentTarget: box }) => setAtEnd(box.scrollHeight - box.scrollTop - box.clientHeight < NEAR)}
      >
        {isEmpty && (
          <Empty title="Start the conversation" icon={<MessageSquare className="size-5" aria-hidden="true" />}>
            Write the first message. If you reload or lose the connection, the answer continues where it stopped.
          </Empty>
        )}
        <div className="mx-auto grid max-w-3xl gap-6 px-4 py-6">
          {shown.map((entry, index) => (
            <EntryView
              key={entry.key}
              entry={entry}
              isLive={isReading && index === shown.length - 1}
              openQuestion={turn?.live.status === 'WAITING_INPUT'}
              onAnswer={onAnswer}
              onEdit={onEdit && ((text) => onEdit(text, shown[index - 1]?.messageId ?? null))}
            />
          ))}
          {isReading && shown.at(-1)?.role !== 'assistant' && (
            <p role="status" className="flex items-center gap-2 text-faint">
              <span className="size-2 animate-pulse rounded-full bg-accent" aria-hidden="true" /> Thinking
            </p>
          )}
          {turn?.live.status === 'CANCELLED' && <p className="text-faint">Stopped.</p>}
          {error && (
            <Refusal
              error={error}
              action={
                onReconnect && (
                  <Button size="small" onClick={onReconnect}>
                    Reconnect
                  </Button>
                )
              }
            />
          )}
        </div>
      </div>
      {!isAtEnd && (
        <Button
          size="small"
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full! shadow-high"
          icon={<ArrowDown className="size-3.5" aria-hidden="true" />}
          onClick={() => setAtEnd(true)}
        >
          Jump to latest
        </Button>
      )}
    </div>
  );
}

/** The sent message, until it is stored, and the output received so far. */
function entriesOfTurn(turn: Turn | null, stored: readonly Entry[]): Entry[] {
  if (!turn) return [];
  const { turnId, live, said: text } = turn;
  const none = { messageId: null, turnId, pictures: [], files: [], at: null, tokens: null };
  const isStored = stored.some((entry) => entry.turnId === turnId && entry.role === 'user');
  const question: Entry[] =
    text === null || isStored
      ? []
      : [
          {
            ...none,
            key: `${turnId}-said`,
            role: 'user',
            blocks: wordsOf(text, turnId),
            pictures: picturesOf(text),
            files: filesOf(text),
          },
        ];
  const { blocks } = live;
  const answer: Entry[] = blocks.length > 0 ? [{ ...none, key: `${turnId}-live`, role: 'assistant', blocks }] : [];
  return [...question, ...answer];
}

const wordsOf = (text: readonly ContentItem[], turnId: string): Entry['blocks'] =>
  text.flatMap((item, index) =>
    item.type === 'text' ? [{ type: 'text' as const, key: `${turnId}-${index}`, text: item.text }] : [],
  );
