import { type ReactNode, useEffect, useRef, useState } from 'react';
import { TextField } from './field';

const PAUSE_MS = 200;

interface Props {
  label: string;
  /** The words that are searched for: those of the URL. */
  value: string;
  onChange: (value: string) => void;
  className?: string;
}

/** The URL follows what is typed when one pauses: a letter is never overwritten by an older URL, nor asked for alone. */
export function SearchField({ label, value, onChange, className }: Props): ReactNode {
  const [draft, setDraft] = useState(value);
  const [sent, setSent] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // Not what was sent from here: a link, or back and forward.
    if (value !== sent) {
      setSent(value);
      setDraft(value);
    }
  }
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    if (draft === sent) return;
    const timer = setTimeout(() => {
      setSent(draft);
      latest.current(draft);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, sent]);
  return (
    <TextField
      label={label}
      hideLabel
      type="search"
      placeholder={label}
      value={draft}
      onChange={setDraft}
      className={className ?? ''}
    />
  );
}
