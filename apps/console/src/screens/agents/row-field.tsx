import { type ReactNode, useState } from 'react';
import { AreaField, CheckField, NumberField, SelectField, TextField } from '../../ui/field';
import { useDatasets } from './use-datasets';
import {
  type RowField as Field,
  headersOf,
  objectOf,
  textOfHeaders,
  textOfValue,
  valueOf,
  wordsIn,
} from './structure-rows';

interface Props {
  field: Field;
  value: unknown;
  onChange: (value: unknown) => void;
  problem: string | undefined;
  disabled: boolean;
}

const BY = [
  { value: 'USER', label: 'The user of the turn' },
  { value: 'ADMIN', label: 'An admin' },
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
          value={value === 'ADMIN' ? 'ADMIN' : 'USER'}
          onChange={(by) => onChange(by === 'ADMIN' ? 'ADMIN' : undefined)}
          options={BY}
        />
      );
    case 'object':
      return (
        <Written
          {...common}
          isCode
          value={value}
          onChange={onChange}
          read={objectOf}
          write={(shown) => (typeof shown === 'string' ? shown : shown === undefined ? '' : JSON.stringify(shown))}
          problem={problem ?? (typeof value === 'string' && value !== '' ? 'Must be a JSON object.' : undefined)}
        />
      );
    case 'value':
      return <Written {...common} value={value} onChange={onChange} read={valueOf} write={textOfValue} />;
    case 'words':
      return (
        <Written
          {...common}
          isCode
          value={value}
          onChange={onChange}
          read={wordsIn}
          write={(words) => (Array.isArray(words) ? words.join(', ') : '')}
        />
      );
    case 'headers':
      return (
        <Written {...common} isCode rows={2} value={value} onChange={onChange} read={headersOf} write={textOfHeaders} />
      );
  }
}

interface WrittenProps {
  label: string;
  hint?: string;
  placeholder?: string;
  problem: string | undefined;
  disabled: boolean;
  className: string;
  isCode?: boolean;
  rows?: number;
  value: unknown;
  onChange: (value: unknown) => void;
  read: (text: string) => unknown;
  write: (value: unknown) => string;
}

/** A text that stands for a value: what is being written is not tidied up under one's hands. */
function Written({ value, onChange, read, write, rows = 1, ...rest }: WrittenProps): ReactNode {
  const [text, setText] = useState(() => write(value));
  const isMine = JSON.stringify(read(text)) === JSON.stringify(value);
  const shown = isMine ? text : write(value);
  const change = (next: string): void => {
    setText(next);
    onChange(read(next));
  };
  return rows > 1 ? (
    <AreaField {...rest} rows={rows} value={shown} onChange={change} />
  ) : (
    <TextField {...rest} value={shown} onChange={change} />
  );
}

function DatasetField({
  value,
  onChange,
  ...rest
}: Omit<WrittenProps, 'read' | 'write' | 'value' | 'onChange'> & {
  value: string;
  onChange: (value: string) => void;
}): ReactNode {
  const datasets = useDatasets();
  const { placeholder: _placeholder, isCode: _isCode, rows: _rows, ...common } = rest;
  const known = datasets.map(({ id, name }) => ({ value: id, label: name }));
  // One that is gone, or not read yet, is not changed by being shown.
  const options = known.some((option) => option.value === value)
    ? known
    : [{ value, label: value || 'Choose' }, ...known];
  return <SelectField {...common} value={value} onChange={onChange} options={options} />;
}
