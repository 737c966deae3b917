import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import type { DatasetField } from '@switchyard/client';
import { messageOf, problemOf } from '../../ui/errors';
import { choicesOf, isLong, isNumeric, problemWords, typedText, valueOf } from './values';

interface Props {
  field: DatasetField;
  value: unknown;
  onSave: (value: unknown) => Promise<void>;
  /** `byKey`: the focus goes back to the cell. */
  onEnd: (byKey: boolean) => void;
}

/** Saves on Enter or blur, cancels on Escape. A refused value stays, with the error. */
export function CellEditor({ field, value, onSave, onEnd }: Props): ReactNode {
  const before = typedText(field, value);
  const [text, setText] = useState(before);
  const [problem, setProblem] = useState<string | null>(null);
  const isEnding = useRef(false);
  const id = useId();
  const end = async (byKey: boolean): Promise<void> => {
    if (isEnding.current) return;
    isEnding.current = true;
    if (text === before) {
      onEnd(byKey);
      return;
    }
    try {
      await onSave(valueOf(field, text));
      onEnd(byKey);
    } catch (error) {
      isEnding.current = false;
      setProblem(problemWords(field.type, problemOf(error, `set.${field.name}`)) ?? messageOf(error));
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Escape') {
      isEnding.current = true;
      onEnd(true);
    }
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void end(true);
    }
  };
  const choices = choicesOf(field);
  const common = {
    className: 'control min-h-7 px-2 py-0.5',
    value: text,
    'aria-label': field.name,
    'aria-invalid': problem === null ? undefined : true,
    'aria-describedby': problem === null ? undefined : id,
    autoFocus: true,
    onKeyDown,
    onBlur: () => void end(false),
  };
  return (
    <div className="grid gap-1 whitespace-normal">
      {choices !== null ? (
        <select {...common} onChange={(event) => setText(event.target.value)}>
          {(field.required !== true || before === '') && <option value="">No value</option>}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : isLong(field) ? (
        <textarea {...common} rows={3} onChange={(event) => setText(event.target.value)} />
      ) : (
        <input
          {...common}
          type="text"
          inputMode={isNumeric(field) ? 'decimal' : undefined}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {problem !== null && (
        <p id={id} role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}
