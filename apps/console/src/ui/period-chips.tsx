import { type ReactNode, useState } from 'react';
import { PERIODS, PERIOD_WORDS, type Period } from '../api/period';
import { Chip } from './chips';
import { InstantField } from './instant-field';

export interface PeriodSpan {
  since?: Period | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** When: a period up to now, or dates behind "Custom". */
export function PeriodChips({ span, onChange }: { span: PeriodSpan; onChange: (span: PeriodSpan) => void }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { since, from, to } = span;
  const isCustom = from !== undefined || to !== undefined;
  const choose = (next: PeriodSpan): void => onChange({ since: next.since, from: next.from, to: next.to });
  return (
    <>
      {PERIODS.map((period) => (
        <Chip
          key={period}
          isOn={since === period && !isCustom}
          onChange={(isOn) => {
            setOpen(false);
            choose(isOn ? { since: period } : {});
          }}
        >
          {PERIOD_WORDS[period]}
        </Chip>
      ))}
      <Chip
        isOn={isCustom || isOpen}
        isExpanded={isCustom || isOpen}
        onChange={(isOn) => {
          setOpen(isOn);
          if (!isOn && isCustom) choose({});
        }}
      >
        Custom
      </Chip>
      {(isCustom || isOpen) && (
        <span className="flex flex-wrap items-end gap-2">
          <InstantField label="From" value={from} onChange={(value) => choose({ from: value, to })} />
          <InstantField label="To" value={to} onChange={(value) => choose({ from, to: value })} />
        </span>
      )}
    </>
  );
}
