import type { ReactNode } from 'react';
import { ChevronDown } from 'lucide-react';
import { classes } from './class-names';
import { Field, type Option } from './field';

const SHAPE = 'inline-flex min-h-7.5 items-center rounded-full border text-sm whitespace-nowrap transition-colors';
const ON = 'border-accent bg-accent-soft font-medium text-accent';
const OFF = 'border-line-strong bg-surface text-soft hover:bg-sunken hover:text-ink';

/** Filters of a list, side by side. */
export const Chips = ({ label, children }: { label: string; children: ReactNode }): ReactNode => (
  <div role="group" aria-label={label} className="flex min-w-0 flex-wrap items-center gap-1.5">
    {children}
  </div>
);

interface ChipProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
  title?: string;
  /** It opens something: fields of its own. */
  isExpanded?: boolean;
}

/** A filter that is on or off. */
export const Chip = ({ isOn, onChange, children, title, isExpanded }: ChipProps): ReactNode => (
  <button
    type="button"
    aria-pressed={isExpanded === undefined ? isOn : undefined}
    aria-expanded={isExpanded}
    title={title}
    onClick={() => onChange(!isOn)}
    className={classes(SHAPE, 'px-3', isOn ? ON : OFF)}
  >
    {children}
  </button>
);

interface SelectProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The first one is no filter. */
  options: readonly Option[];
}

/** A filter with several values. */
export const ChipSelect = ({ label, value, onChange, options }: SelectProps): ReactNode => (
  <Field label={label} hideLabel className="min-w-0">
    {(wiring) => (
      <span className={classes(SHAPE, 'relative max-w-52 min-w-0', value === '' ? OFF : ON)}>
        <select
          className="min-w-0 appearance-none rounded-full bg-transparent py-1 pr-7 pl-3 text-ellipsis"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          {...wiring}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} className="bg-surface text-ink">
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown className="pointer-events-none absolute right-2 size-3.5" aria-hidden="true" />
      </span>
    )}
  </Field>
);
