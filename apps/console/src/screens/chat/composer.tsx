import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react';
import type { ContentItem } from '@switchyard/client';
import { ArrowUp, Paperclip, Square, X } from 'lucide-react';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';

interface Props {
  draft: string;
  setDraft: (draft: string) => void;
  isBusy: boolean;
  /** A question waits, or there is no agent. */
  isBlocked: boolean;
  onSend: (contents: ContentItem[]) => void;
  onStop: () => void;
}

const readAsUri = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });

const TALLEST = 12;

export function Composer({ draft, setDraft, isBusy, isBlocked, onSend, onStop }: Props): ReactNode {
  const [pictures, setPictures] = useState<{ name: string; uri: string }[]>([]);
  const chooser = useRef<HTMLInputElement>(null);
  const canSend = !isBusy && !isBlocked && (draft.trim() !== '' || pictures.length > 0);
  const submit = (event?: SyntheticEvent): void => {
    event?.preventDefault();
    if (!canSend) return;
    const words: ContentItem[] = draft.trim() === '' ? [] : [{ type: 'text', text: draft }];
    onSend([...words, ...pictures.map(({ uri }): ContentItem => ({ type: 'image_url', image_url: { url: uri } }))]);
    setDraft('');
    setPictures([]);
  };
  const attach = async (files: FileList | null): Promise<void> => {
    try {
      const read = await Promise.all(
        [...(files ?? [])].map(async (file) => ({ name: file.name, uri: await readAsUri(file) })),
      );
      setPictures((before) => [...before, ...read]);
    } catch (error) {
      toast.failed(error);
    }
  };
  const lines = Math.min(TALLEST, Math.max(1, draft.split('\n').length));
  return (
    <form
      onSubmit={submit}
      className="rounded-2xl border border-line-strong bg-surface p-2 shadow-card focus-within:border-accent focus-within:ring-1 focus-within:ring-accent"
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
                onClick={() => setPictures(pictures.filter((_, one) => one !== place))}
              />
            </li>
          ))}
        </ul>
      )}
      <textarea
        aria-label="Message"
        rows={lines}
        value={draft}
        dir="auto"
        placeholder={isBlocked ? 'Answer the question above first' : 'Write a message'}
        onChange={(event) => setDraft(event.target.value)}
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
          <Button size="small" icon={<Square className="size-3 fill-current" aria-hidden="true" />} onClick={onStop}>
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
