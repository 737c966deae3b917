import { useCallback, useState } from 'react';

interface Versioned {
  version: number;
}

export interface Draft<D, T extends Versioned = Versioned> {
  draft: D;
  set: (draft: D) => void;
  /** The record when editing began: a save sends only the differences. */
  before: D;
  /** The version that a save replaces; undefined for a record that is new. */
  version: number | undefined;
  isDirty: boolean;
  /** A version that someone else has saved meanwhile; the draft is kept until one decides. */
  newer: T | null;
  takeNewer: () => void;
  /** The next save replaces the newer version with what was changed here. */
  keepMine: () => void;
  /** After a save: the draft is what is stored. */
  saved: (record: T) => void;
  /** Nothing is left to be saved: the page is about to be left. */
  leave: () => void;
}

interface State<D> {
  before: D;
  draft: D;
  version: number | undefined;
  isLeaving: boolean;
}

const isSameText = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The text of a form that edits one record, while the record is read again behind it. Key its component by the id. */
export function useDraft<D, T extends Versioned>(
  record: T | null,
  draftOf: (record: T | null) => D,
  /** Drafts that say the same are no change, however they are written. */
  isSame: (draft: D, before: D) => boolean = isSameText,
): Draft<D, T> {
  const begin = (of: T | null): State<D> => {
    const draft = draftOf(of);
    return { before: draft, draft, version: of?.version, isLeaving: false };
  };
  const [state, setState] = useState(() => begin(record));
  const isDirty = !state.isLeaving && !isSame(state.draft, state.before);
  const isNewer = record !== null && state.version !== undefined && record.version > state.version;
  // Nothing was written: what is stored now is shown.
  if (isNewer && !isDirty && !state.isLeaving) setState(begin(record));
  const newer = isNewer && isDirty ? record : null;
  return {
    draft: state.draft,
    set: useCallback((draft: D) => setState((now) => ({ ...now, draft })), []),
    before: state.before,
    version: state.version,
    isDirty,
    newer,
    takeNewer: () => setState(begin(record)),
    keepMine: () => setState((now) => ({ ...now, version: record?.version })),
    saved: (stored) => setState(begin(stored)),
    leave: useCallback(() => setState((now) => ({ ...now, isLeaving: true })), []),
  };
}
