import type { ReactNode } from 'react';
import { AreaField, CheckField, NumberField, SelectField, TextField } from '../../ui/field';
import { useDatasets } from './use-datasets';
import { ParsedInput } from '../../ui/parsed-input';
import { headersOf, objectOf, textOfHeaders, textOfObject, textOfValue, valueOf, wordsIn } from '../../ui/parse-values';
import type { RowField as Field } from './structure-rows';

interface Props {
  field: Field;
  value: unknown;
  onChange: (value: unknown) => void;
  problem: string | undefined;
  disabled: boolean;
}

const APPROVERS = [
  { value: 'USER', label: 'The user of the turn' },
  { value: 'ADMIN', label: 'An admin' },
  { value: 'OTHER', label: 'Another member' },
];

/** One field of one row, by its kind. */
export function RowFieldView({ field, value, onChange, problem, disabled }: Props): ReactNode {
  const { label, kind, hint, placeholder, isWide = false } = field;
  const common = {
    label,
    problem,
    disabled,
    className: isWide ? 'sm:col-span-2' : '',
    ...(hint === undefined ? {} : { hint }),
    ...(placeholder === undefined ? {} : { placeholder }),
  };
  const text = typeof value === 'string' ? value : '';
  switch (kind) {
    case 'text':
      return <TextField {...common} value={text} onChange={onChange} />;
    case 'area':
      return <AreaField {...common} value={text} onChange={onChange} />;
    case 'number':
      return (
        <NumberField {...common} step="any" value={typeof value === 'number' ? value : null} onChange={onChange} />
      );
    case 'check':
      return (
        <div className="self-center">
          <CheckField label={label} checked={value === true} onChange={onChange} disabled={disabled} />
        </div>
      );
    case 'dataset':
      return <DatasetField {...common} value={text} onChange={onChange} />;
    case 'approver':
      return (
        <SelectField
          {...common}
          value={value === 'ADMIN' || value === 'OTHER' ? value : 'USER'}
          onChange={(by) => onChange(by === 'USER' ? undefined : by)}
          options={APPROVERS}
        />
      );
    case 'object':
      return (
        <ParsedInput value={value} onChange={onChange} read={objectOf} write={textOfObject}>
          {(shown, change) => (
            <TextField
              {...common}
              isCode
              value={shown}
              onChange={change}
              problem={problem ?? (text === '' ? undefined : 'Must be a JSON object.')}
            />
          )}
        </ParsedInput>
      );
    case 'value':
      return (
        <ParsedInput value={value} onChange={onChange} read={valueOf} write={textOfValue}>
          {(shown, change) => <TextField {...common} value={shown} onChange={change} />}
        </ParsedInput>
      );
    case 'words':
      return (
        <ParsedInput
          value={value}
          onChange={onChange}
          read={wordsIn}
          write={(words) => (Array.isArray(words) ? words.join(', ') : '')}
        >
          {(shown, change) => <TextField {...common} isCode value={shown} onChange={change} />}
        </ParsedInput>
      );
    case 'headers':
      return (
        <ParsedInput value={value} onChange={onChange} read={headersOf} write={textOfHeaders}>
          {(shown, change) => <AreaField {...common} isCode rows={2} value={shown} onChange={change} />}
        </ParsedInput>
      );
  }
}

interface DatasetProps {
  label: string;
  hint?: string;
  problem: string | undefined;
  disabled: boolean;
  className: string;
  value: string;
  onChange: (value: string) => void;
}

/** One that is gone, a template, or one that is not read yet is not changed by being shown. */
export function DatasetField({ value, onChange, label, hint, problem, disabled, className }: DatasetProps): ReactNode {
  const existing = useDatasets().map(({ id, name }) => ({ value: id, label: name }));
  const options = existing.some((option) => option.value === value)
    ? existing
    : [{ value, label: value === '' ? 'Choose' : value }, ...existing];
  return <SelectField {...{ label, hint, problem, disabled, className, value, onChange, options }} />;
}
