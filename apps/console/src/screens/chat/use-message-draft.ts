import { useCallback, useState } from 'react';
import type { Attachment } from './attachments';

export interface MessageDraft {
  text: string;
  attachments: Attachment[];
}

export const emptyDraft: MessageDraft = { text: '', attachments: [] };

interface UseMessageDraft {
  draft: MessageDraft;
  setDraft: (draft: MessageDraft) => void;
  setDraftOf: (chat: string, change: (now: MessageDraft) => MessageDraft) => void;
  moveDraft: (from: string, to: string) => void;
}

/** Each chat has its own unsent message: another chat neither shows nor loses it. */
export function useMessageDraft(chat: string): UseMessageDraft {
  const [drafts, setDrafts] = useState<Readonly<Record<string, MessageDraft>>>({});
  const setDraftOf = useCallback(
    (of: string, change: (now: MessageDraft) => MessageDraft) =>
      setDrafts((all) => ({ ...all, [of]: change(all[of] ?? emptyDraft) })),
    [],
  );
  return {
    draft: drafts[chat] ?? emptyDraft,
    setDraft: (draft) => setDraftOf(chat, () => draft),
    setDraftOf,
    moveDraft: useCallback(
      (from, to) => setDrafts((all) => ({ ...all, [to]: all[from] ?? emptyDraft, [from]: emptyDraft })),
      [],
    ),
  };
}
