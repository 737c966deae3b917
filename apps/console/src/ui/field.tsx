import { type HTMLInputTypeAttribute, type ReactNode, useId } from 'react';
import { classes } from './class-names';

interface Common {
  label: string;
  hint?: ReactNode;
  /** The API's error for it. */
  problem?: string | undefined;
  hideLabel?: boolean;
  className?: string;
}

export interface Wiring {
  id: string;
  'aria-invalid': boolean | undefined;
  'aria-describedby': string | undefined;
}

/** A label, its control, what it means and what is wrong with it, joined for those who do not see them together. */
export function Field({
  label,
  hint,
  problem,
  hideLabel = false,
  className,
  children,
}: Common & { children: (wiring: Wiring) => ReactNode }): ReactNode {
  const id = useId();
  const describedBy = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`].filter(Boolean);
  return (
    <div className={classes('grid content-start gap-1', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': problem === undefined ? undefined : true,
        'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
      })}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="text-sm text-bad">
          {problem}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-faint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface TextProps extends Common {
  value: string;
  onChange: (value: string) => void;
  type?: HTMLInputTypeAttribute;
  placeholder?: string;
  required?: boolean;
  disabled?: boolean;
  readOnly?: boolean;
  autoComplete?: string;
  isCode?: boolean;
}

export function TextField({
  value,
  onChange,
  isCode = false,
  label,
  hint,
  problem,
  hideLabel,
  className,
  ...rest
}: TextProps): ReactNode {
  return (
    <Field {...{ label, hint, problem, hideLabel, className }}>
      {(wiring) => (
        <input
          className={classes('control', isCode && 'font-mono text-sm')}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          {...wiring}
          {...rest}
        />
      )}
    </Field>
  );
}

export function AreaField({
  value,
  onChange,
  rows = 4,
  isCode = false,
  label,
  hint,
  problem,
  hideLabel,
  className,
  ...rest
}: Omit<TextProps, 'type'> & { rows?: number }): ReactNode {
  return (
    <Field {...{ label, hint, problem, hideLabel, className }}>
      {(wiring) => (
        <textarea
          className={classes('control resize-y', isCode && 'font-mono text-sm')}
          rows={rows}
          value={value}
          spellCheck={!isCode}
          onChange={(event) => onChange(event.target.value)}
          {...wiring}
          {...rest}
        />
      )}
    </Field>
  );
}

interface NumberProps extends Common {
  /** Null where nothing is given. */
  value: number | null;
  onChange: (value: number | null) => void;
  min?: number;
  max?: number;
  step?: number | 'any';
  placeholder?: string;
  disabled?: boolean;
}

export function NumberField({
  value,
  onChange,
  label,
  hint,
  problem,
  hideLabel,
  className,
  ...rest
}: NumberProps): ReactNode {
  return (
    <Field {...{ label, hint, problem, hideLabel, className }}>
      {(wiring) => (
        <input
          type="number"
          className="control"
          value={value ?? ''}
          onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
          {...wiring}
          {...rest}
        />
      )}
    </Field>
  );
}

export interface Option {
  value: string;
  label: string;
}

interface SelectProps extends Common {
  value: string;
  onChange: (value: string) => void;
  options: readonly Option[];
  disabled?: boolean;
  required?: boolean;
}

export function SelectField({
  value,
  onChange,
  options,
  label,
  hint,
  problem,
  hideLabel,
  className,
  ...rest
}: SelectProps): ReactNode {
  return (
    <Field {...{ label, hint, problem, hideLabel, className }}>
      {(wiring) => (
        <select
          className="control pr-7"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          {...wiring}
          {...rest}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckProps {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  type?: 'checkbox' | 'radio';
  name?: string;
}

export function CheckField({ label, hint, checked, onChange, type = 'checkbox', ...rest }: CheckProps): ReactNode {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type={type}
        className="mt-1 size-4 shrink-0 accent-(--accent)"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        {...rest}
      />
      <div className="min-w-0">
        <label htmlFor={id} className="wrap-anywhere">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-sm wrap-anywhere text-faint">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
