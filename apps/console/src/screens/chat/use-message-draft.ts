import { useCallback, useState } from 'react';
import type { SwitchyardClient } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import type { Attachment } from './attachments';

export interface MessageDraft {
  text: string;
  attachments: Attachment[];
}

export const emptyDraft: MessageDraft = { text: '', attachments: [] };

type Drafts = Readonly<Record<string, MessageDraft>>;

/** A person has one client in a Space, as long as the session lasts: the drafts outlive the page of the chat. */
const draftsOf = new WeakMap<SwitchyardClient, Drafts>();

interface UseMessageDraft {
  draft: MessageDraft;
  setDraft: (draft: MessageDraft) => void;
  setDraftOf: (chat: string, change: (now: MessageDraft) => MessageDraft) => void;
  moveDraft: (from: string, to: string) => void;
}

/** Each chat has its own unsent message: another chat or page neither shows nor loses it. */
export function useMessageDraft(chat: string): UseMessageDraft {
  const client = useClient();
  const [drafts, show] = useState<Drafts>(draftsOf.get(client) ?? {});
  const change = useCallback(
    (next: (all: Drafts) => Drafts) => {
      // A refusal may come when the page is left already: the message is kept all the same.
      const changed = next(draftsOf.get(client) ?? {});
      draftsOf.set(client, changed);
      show(changed);
    },
    [client],
  );
  const setDraftOf = useCallback(
    (of: string, to: (now: MessageDraft) => MessageDraft) =>
      change((all) => ({ ...all, [of]: to(all[of] ?? emptyDraft) })),
    [change],
  );
  return {
    draft: drafts[chat] ?? emptyDraft,
    setDraft: (draft) => setDraftOf(chat, () => draft),
    setDraftOf,
    moveDraft: useCallback(
      (from, to) => change((all) => ({ ...all, [to]: all[from] ?? emptyDraft, [from]: emptyDraft })),
      [change],
    ),
  };
}
