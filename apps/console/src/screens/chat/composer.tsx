import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react';
import type { ContentItem } from '@switchyard/client';
import { ArrowUp, FileText, Paperclip, Square, X } from 'lucide-react';
import { Button } from '../../ui/button';
import { Refusal } from '../../ui/note';
import { ACCEPTED, type Attachment, MAX_ATTACHMENTS, attachmentOf, refusalOf } from './attachments';
import type { MessageDraft } from './use-message-draft';

interface Props {
  draft: MessageDraft;
  setDraft: (draft: MessageDraft) => void;
  attach: (attachments: Attachment[]) => void;
  isBusy: boolean;
  /** Why nothing can be sent now: a question waits, or there is no agent. */
  blockedBy: string | null;
  onSend: (contents: ContentItem[]) => void;
  /** Null until there is something to be stopped. */
  onStop: (() => void) | null;
}

const TALLEST = 12;

export function Composer({ draft, setDraft, attach, isBusy, blockedBy, onSend, onStop }: Props): ReactNode {
  const { text, attachments } = draft;
  const chooser = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const canSend = !isBusy && blockedBy === null && (text.trim() !== '' || attachments.length > 0);
  const submit = (event?: SyntheticEvent): void => {
    event?.preventDefault();
    if (!canSend) return;
    setProblem(null);
    const words: ContentItem[] = text.trim() === '' ? [] : [{ type: 'text', text }];
    onSend([...words, ...attachments.map(({ item }) => item)]);
  };
  const choose = async (files: FileList | null): Promise<void> => {
    setProblem(null);
    try {
      const chosen = [...(files ?? [])];
      const refusal = chosen.map(refusalOf).find((words) => words !== null);
      if (refusal) throw new Error(refusal);
      if (attachments.length + chosen.length > MAX_ATTACHMENTS)
        throw new Error(`A message takes at most ${MAX_ATTACHMENTS} files.`);
      attach(await Promise.all(chosen.map(attachmentOf)));
    } catch (error) {
      setProblem(error);
    }
  };
  const lines = Math.min(TALLEST, Math.max(1, text.split('\n').length));
  return (
    <form
      onSubmit={submit}
      className="rounded-2xl border border-field-line bg-surface p-2 shadow-card focus-within:border-accent focus-within:ring-1 focus-within:ring-accent"
    >
      <Refusal error={problem} className="mb-1" />
      {attachments.length > 0 && (
        <ul aria-label="Attachments" className="flex flex-wrap gap-2 p-1 pb-2">
          {attachments.map(({ name, item }, at) => (
            <li key={at} className="relative">
              {item.type === 'image_url' ? (
                <img
                  src={item.image_url.url}
                  alt={name}
                  className="size-14 rounded-lg border border-line object-cover"
                />
              ) : (
                <span className="flex h-14 max-w-44 items-center gap-2 rounded-lg border border-line bg-sunken px-3 text-sm">
                  <FileText className="size-4 shrink-0 text-faint" aria-hidden="true" />
                  <span className="truncate" dir="auto">
                    {name}
                  </span>
                </span>
              )}
              <Button
                size="small"
                aria-label={`Remove ${name}`}
                className="absolute -top-2 -right-2 min-h-6! min-w-6! rounded-full!"
                icon={<X className="size-3" />}
                onClick={() => setDraft({ text, attachments: attachments.filter((_, one) => one !== at) })}
              />
            </li>
          ))}
        </ul>
      )}
      <textarea
        aria-label="Message"
        rows={lines}
        value={text}
        dir="auto"
        placeholder={blockedBy ?? 'Write a message'}
        onChange={(event) => setDraft({ ...draft, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
        }}
        className="block max-h-72 w-full resize-none bg-transparent px-2 py-1 outline-none"
      />
      <div className="mt-1 flex items-center gap-2">
        <input
          ref={chooser}
          type="file"
          accept={ACCEPTED}
          multiple
          aria-label="Files"
          className="hidden"
          onChange={(event) => {
            void choose(event.target.files);
            event.target.value = '';
          }}
        />
        <Button
          look="ghost"
          size="small"
          aria-label="Attach files"
          icon={<Paperclip className="size-4" />}
          onClick={() => chooser.current?.click()}
        />
        <span className="flex-1" />
        {isBusy ? (
          <Button
            size="small"
            icon={<Square className="size-3 fill-current" aria-hidden="true" />}
            disabled={onStop === null}
            onClick={onStop ?? undefined}
          >
            Stop
          </Button>
        ) : (
          <Button
            type="submit"
            size="small"
            look="primary"
            disabled={!canSend}
            icon={<ArrowUp className="size-3.5" aria-hidden="true" />}
          >
            Send
          </Button>
        )}
      </div>
    </form>
  );
}
