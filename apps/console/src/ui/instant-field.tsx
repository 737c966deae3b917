import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Field } from './field';

interface Props {
  label: string;
  /** As the API writes it; undefined where none is given. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  hideLabel?: boolean;
  className?: string;
}

/** A day and a time in one's own zone. It counts when it is left or by Enter: half a date is none. */
export function InstantField({ value, onChange, label, hideLabel = false, className = '' }: Props): ReactNode {
  const given = localOf(value);
  const [draft, setDraft] = useState<string | null>(null);
  const commit = (): void => {
    setDraft(null);
    if (draft === null || draft === given) return;
    onChange(draft === '' ? undefined : new Date(draft).toISOString());
  };
  const press = ({ key }: KeyboardEvent): void => {
    if (key === 'Enter') commit();
    if (key === 'Escape') setDraft(null);
  };
  return (
    <Field label={label} hideLabel={hideLabel} className={className}>
      {(wiring) => (
        <input
          type="datetime-local"
          className="control"
          min="2000-01-01T00:00"
          max="9999-12-31T23:59"
          value={draft ?? given}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={commit}
          onKeyDown={press}
          {...wiring}
        />
      )}
    </Field>
  );
}

const MINUTE_MS = 60_000;

/** To the minute, in the zone of the browser: what such a field takes. */
function localOf(value: string | undefined): string {
  const at = new Date(value ?? '');
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}
