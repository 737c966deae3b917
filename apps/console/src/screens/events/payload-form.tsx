import type { ReactNode } from 'react';
import { problemsOf } from '../../ui/errors';
import { AreaField, NumberField, SelectField, TextField } from '../../ui/field';
import { ParsedInput } from '../../ui/parsed-input';
import { textOfValue, valueOf } from '../../ui/parse-values';
import { type PayloadField, withValue } from './payload-fields';

interface Props {
  fields: readonly PayloadField[];
  payload: Record<string, unknown>;
  onChange: (payload: Record<string, unknown>) => void;
  /** The refusal of the emission: its problems stand at their fields. */
  error: unknown;
}

/** A payload as its schema asks for it, field by field. */
export function PayloadForm({ fields, payload, onChange, error }: Props): ReactNode {
  return (
    <div role="group" aria-label="Payload" className="grid items-start gap-4 sm:grid-cols-2">
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={payload[field.name]}
          onChange={(value) => onChange(withValue(payload, field.name, value))}
          problem={problemsOf(error, `payload.${field.name}`)}
        />
      ))}
    </div>
  );
}

interface FieldProps {
  field: PayloadField;
  value: unknown;
  onChange: (value: unknown) => void;
  problem: string | undefined;
}

const NONE = '';

function OneField({ field, value, onChange, problem }: FieldProps): ReactNode {
  const { name, kind, isRequired, isInteger, hint } = field;
  const shared = {
    label: name,
    problem,
    hint: [hint, isRequired ? null : 'Optional.'].filter(Boolean).join(' ') || undefined,
  };
  if (kind === 'text')
    return (
      <TextField
        {...shared}
        value={typeof value === 'string' ? value : textOfValue(value)}
        onChange={(text) => onChange(text === '' && !isRequired ? undefined : text)}
      />
    );
  if (kind === 'number')
    return (
      <NumberField
        {...shared}
        value={typeof value === 'number' ? value : null}
        onChange={(next) => onChange(next ?? undefined)}
        step={isInteger ? 1 : 'any'}
      />
    );
  if (kind === 'json')
    return (
      <ParsedInput value={value} onChange={onChange} read={valueOf} write={textOfValue}>
        {(text, change) => (
          <AreaField
            {...shared}
            hint={['JSON.', shared.hint].filter(Boolean).join(' ')}
            isCode
            value={text}
            onChange={change}
            className="sm:col-span-2"
          />
        )}
      </ParsedInput>
    );
  const choices = kind === 'boolean' ? [true, false] : kind;
  const at = choices.findIndex((choice) => choice === value);
  return (
    <SelectField
      {...shared}
      value={at === -1 ? NONE : String(at)}
      onChange={(chosen) => onChange(chosen === NONE ? undefined : choices[Number(chosen)])}
      options={[
        ...(isRequired && at !== -1 ? [] : [{ value: NONE, label: 'Not given' }]),
        ...choices.map((choice, index) => ({ value: String(index), label: String(choice) })),
      ]}
    />
  );
}
