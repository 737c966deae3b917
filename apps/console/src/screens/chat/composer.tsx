import { type ReactNode, type SyntheticEvent, useRef } from 'react';
import type { ContentItem } from '@switchyard/client';
import { ArrowUp, Paperclip, Square, X } from 'lucide-react';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import type { MessageDraft } from './use-message-draft';

interface Props {
  draft: MessageDraft;
  setDraft: (draft: MessageDraft) => void;
  addPictures: (pictures: MessageDraft['pictures']) => void;
  isBusy: boolean;
  /** Why nothing can be sent now: a question waits, or there is no agent. */
  blockedBy: string | null;
  onSend: (contents: ContentItem[]) => void;
  /** Null until there is something to be stopped. */
  onStop: (() => void) | null;
}

const readAsUri = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });

const TALLEST = 12;
/** A picture travels as text, a third longer than it is: the API takes 8 MiB of that. */
const MOST_BYTES = 5_000_000;

export function Composer({ draft, setDraft, addPictures, isBusy, blockedBy, onSend, onStop }: Props): ReactNode {
  const { text, pictures } = draft;
  const chooser = useRef<HTMLInputElement>(null);
  const canSend = !isBusy && blockedBy === null && (text.trim() !== '' || pictures.length > 0);
  const submit = (event?: SyntheticEvent): void => {
    event?.preventDefault();
    if (!canSend) return;
    const words: ContentItem[] = text.trim() === '' ? [] : [{ type: 'text', text }];
    onSend([...words, ...pictures.map(({ uri }): ContentItem => ({ type: 'image_url', image_url: { url: uri } }))]);
  };
  const attach = async (files: FileList | null): Promise<void> => {
    try {
      const chosen = [...(files ?? [])];
      const large = chosen.find(({ size }) => size > MOST_BYTES);
      if (large) throw new Error(`${large.name} is larger than 5 MB.`);
      const read = await Promise.all(chosen.map(async (file) => ({ name: file.name, uri: await readAsUri(file) })));
      addPictures(read);
    } catch (error) {
      toast.failed(error);
    }
  };
  const lines = Math.min(TALLEST, Math.max(1, text.split('\n').length));
  return (
    <form
      onSubmit={submit}
      className="rounded-2xl border border-field-line bg-surface p-2 shadow-card focus-within:border-accent focus-within:ring-1 focus-within:ring-accent"
    >
      {pictures.length > 0 && (
        <ul className="flex flex-wrap gap-2 p-1 pb-2">
          {pictures.map(({ name, uri }, place) => (
            <li key={uri.slice(-32) + name} className="relative">
              <img src={uri} alt={name} className="size-14 rounded-lg border border-line object-cover" />
              <Button
                size="small"
                aria-label={`Remove ${name}`}
                className="absolute -top-2 -right-2 min-h-5! min-w-5! rounded-full!"
                icon={<X className="size-3" />}
                onClick={() => setDraft({ text, pictures: pictures.filter((_, one) => one !== place) })}
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
          accept="image/*"
          multiple
          aria-label="Images"
          className="hidden"
          onChange={(event) => {
            void attach(event.target.files);
            event.target.value = '';
          }}
        />
        <Button
          look="ghost"
          size="small"
          aria-label="Attach an image"
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
