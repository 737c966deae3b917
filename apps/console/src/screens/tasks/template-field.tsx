import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { classes } from '../../ui/class-names';
import { Field } from '../../ui/field';
import { type Completion, type TemplateNames, completionsAt, withCompletion } from './template-completion';

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  names: TemplateNames;
  rows?: number;
  hint?: string;
  placeholder?: string;
  problem?: string | undefined;
  disabled?: boolean;
  className?: string;
}

const showOption = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' });

/** A text with `{{ }}` in it: what can stand there is offered while one writes. */
export function TemplateField(props: Props): ReactNode {
  const { label, value, onChange, names, rows = 1, hint, placeholder, problem, disabled, className } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const [offer, setOffer] = useState<Completion | null>(null);
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const look = (text: string): void => {
    setOffer(completionsAt(text, area.current?.selectionStart ?? text.length, names));
    setChosen(0);
  };
  const take = (option: string): void => {
    if (!offer) return;
    const next = withCompletion(value, offer, option);
    onChange(next.text);
    setOffer(null);
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(next.caret, next.caret);
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!offer) return;
    const { length } = offer.options;
    const option = offer.options[chosen];
    if (event.key === 'ArrowDown') setChosen((chosen + 1) % length);
    else if (event.key === 'ArrowUp') setChosen((chosen + length - 1) % length);
    else if (event.key === 'Escape') setOffer(null);
    else if ((event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) && option !== undefined) take(option);
    else return;
    event.preventDefault();
    // Escape closes the list, and not the dialog around it.
    event.stopPropagation();
  };
  return (
    <Field {...{ label, hint, problem, className }}>
      {(wiring) => (
        <div className="relative contain-inline-size">
          <textarea
            ref={area}
            rows={rows}
            className="control block field-sizing-content w-full resize-y font-mono text-sm"
            value={value}
            placeholder={placeholder}
            disabled={disabled}
            spellCheck={false}
            style={{ minHeight: `${rows * 1.25 + 0.875}rem` }}
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-controls={offer ? list : undefined}
            aria-activedescendant={offer ? `${list}-${chosen}` : undefined}
            onChange={(event) => {
              onChange(event.target.value);
              look(event.target.value);
            }}
            onKeyDown={onKeyDown}
            onClick={() => look(value)}
            onBlur={() => setOffer(null)}
            {...wiring}
          />
          {offer && (
            <ul
              id={list}
              role="listbox"
              aria-label={`Completions of ${label}`}
              className="absolute top-full right-0 left-0 z-20 mt-1 max-h-56 overflow-auto rounded-lg border border-line bg-raised py-1 shadow-high"
            >
              {offer.options.map((option, at) => (
                <li
                  key={option}
                  id={`${list}-${at}`}
                  role="option"
                  aria-selected={at === chosen}
                  // The list is lower than its options are together.
                  ref={at === chosen ? showOption : undefined}
                  className={classes(
                    'cursor-pointer px-3 py-1 font-mono text-xs break-all',
                    at === chosen && 'bg-accent-soft text-accent',
                  )}
                  // The field keeps the focus.
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => take(option)}
                >
                  {option}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Field>
  );
}
