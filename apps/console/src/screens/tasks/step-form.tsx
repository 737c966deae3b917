import type { ReactNode } from 'react';
import { Plus, X } from 'lucide-react';
import { Button } from '../../ui/button';
import { problemOf } from '../../ui/errors';
import { SelectField, TextField } from '../../ui/field';
import { JsonField, asObject } from '../../ui/json';
import { ParsedInput } from '../../ui/parsed-input';
import { headersOf, objectOf, textOfHeaders, textOfObject, textOfValue, valueOf } from '../../ui/parse-values';
import { DatasetField } from '../agents/row-field';
import { useRegisteredEvents } from '../events/use-registered-events';
import { useAgentNames } from '../jobs/use-agent-names';
import type { StepDraft } from './task-form';
import { type StepField, type With, fieldsOf, restOf, valueAt, withRest, withValue } from './step-shapes';
import type { TemplateNames } from './template-completion';
import { TemplateField } from './template-field';

interface Props {
  step: StepDraft;
  value: With;
  onChange: (value: With) => void;
  names: TemplateNames;
  error: Error | null;
  /** Of `with` in the task: `steps[0].with`. */
  path: string;
  disabled: boolean;
}

/** Form fields of the step type; the rest is edited as JSON. */
export function StepForm({ step, value, onChange, names, error, path, disabled }: Props): ReactNode {
  const fields = fieldsOf(step.type, value);
  const rest = restOf(step.type, value);
  const own = (field: StepField): string => [path, ...field.path].join('.');
  const count = Object.keys(rest).length;
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      {fields.map((field) => (
        <OneField
          key={field.label}
          field={field}
          value={field.path.length === 0 ? value : valueAt(value, field.path)}
          all={value}
          onChange={(next) => onChange(field.path.length === 0 ? (next as With) : withValue(value, field.path, next))}
          onChangeAll={onChange}
          names={names}
          problem={problemOf(error, own(field))}
          disabled={disabled}
        />
      ))}
      {step.type !== 'transform' && (
        <details className="rounded-lg border border-line sm:col-span-2" open={count > 0 || undefined}>
          <summary className="px-3 py-1.5 text-sm text-soft">Other fields{count > 0 && ` (${count})`}</summary>
          <div className="border-t border-line p-3">
            <ParsedInput
              value={rest}
              onChange={(next) => onChange(withRest(step.type, value, next as With))}
              read={(text) => asObject(text) ?? rest}
              write={(shown) => JSON.stringify(shown, null, 2)}
            >
              {(text, change) => (
                <JsonField
                  label={`Other fields of ${step.id}`}
                  rows={3}
                  value={text}
                  onChange={change}
                  problem={asObject(text) === null ? 'Must be a JSON object.' : undefined}
                />
              )}
            </ParsedInput>
          </div>
        </details>
      )}
    </div>
  );
}

interface FieldProps {
  field: StepField;
  value: unknown;
  all: With;
  onChange: (value: unknown) => void;
  onChangeAll: (value: With) => void;
  names: TemplateNames;
  problem: string | undefined;
  disabled: boolean;
}

const emptied = (text: string): string | undefined => (text === '' ? undefined : text);

function OneField({ field, value, all, onChange, onChangeAll, names, problem, disabled }: FieldProps): ReactNode {
  const { label, kind, hint, placeholder, rows = 1, isWide = false } = field;
  const common = {
    label,
    problem,
    disabled,
    className: isWide ? 'sm:col-span-2' : '',
    ...(hint === undefined ? {} : { hint }),
    ...(placeholder === undefined ? {} : { placeholder }),
  };
  const text = typeof value === 'string' ? value : '';
  const templated = (read: (text: string) => unknown, write: (value: unknown) => string): ReactNode => (
    <ParsedInput value={value} onChange={onChange} read={read} write={write}>
      {(shown, change) => <TemplateField {...common} rows={rows} names={names} value={shown} onChange={change} />}
    </ParsedInput>
  );
  switch (kind) {
    case 'template':
      return templated((written) => emptied(written), textOfObject);
    case 'value':
      return templated(valueOf, textOfValue);
    case 'object':
      return templated(objectOf, textOfObject);
    case 'headers':
      return templated(headersOf, textOfHeaders);
    case 'entries':
      return <Entries value={all} onChange={onChangeAll} names={names} disabled={disabled} />;
    case 'agent':
      return <AgentField {...common} value={text} onChange={onChange} />;
    case 'dataset':
      return <DatasetField {...common} value={text} onChange={onChange} />;
    case 'event':
      return <EventField {...common} value={all} onChange={onChangeAll} />;
    default:
      return (
        <SelectField
          {...common}
          value={text === '' ? (kind[0] ?? '') : text}
          onChange={onChange}
          options={[...new Set([...kind, ...(text === '' ? [] : [text])])].map((one) => ({ value: one, label: one }))}
        />
      );
  }
}

interface ChoiceProps {
  label: string;
  hint?: string;
  problem: string | undefined;
  disabled: boolean;
  className: string;
}

function AgentField({
  value,
  onChange,
  ...common
}: ChoiceProps & { value: string; onChange: (value: string) => void }): ReactNode {
  const existing = useAgentNames().agents.map(({ id, name }) => ({ value: id, label: name }));
  const options = existing.some((option) => option.value === value)
    ? existing
    : [{ value, label: value === '' ? 'Choose' : value }, ...existing];
  return <SelectField {...common} value={value} onChange={onChange} options={options} />;
}

/** One choice gives the application and its event. */
function EventField({
  value,
  onChange,
  ...common
}: ChoiceProps & { value: With; onChange: (value: With) => void }): ReactNode {
  const { data = [] } = useRegisteredEvents();
  const { appIdentifier, event } = value;
  const now = `${textOfObject(appIdentifier)} · ${textOfObject(event)}`;
  const existing = data.map((one) => ({ ...one, label: `${one.appIdentifier} · ${one.name}` }));
  const isListed = existing.some(({ label }) => label === now);
  const options = existing.map(({ label }) => ({ value: label, label }));
  return (
    <SelectField
      {...common}
      value={now}
      onChange={(label) => {
        const chosen = existing.find((one) => one.label === label);
        if (chosen) onChange({ ...value, appIdentifier: chosen.appIdentifier, event: chosen.name });
      }}
      options={isListed ? options : [{ value: now, label: now === ' · ' ? 'Choose' : now }, ...options]}
    />
  );
}

interface EntriesProps {
  value: With;
  onChange: (value: With) => void;
  names: TemplateNames;
  disabled: boolean;
}

/** The fields that a transform gives, in their order. */
function Entries({ value, onChange, names, disabled }: EntriesProps): ReactNode {
  const entries = Object.entries(value);
  const put = (at: number, next: readonly [string, unknown] | null): void =>
    onChange(Object.fromEntries(entries.flatMap((entry, index) => (index === at ? (next ? [next] : []) : [entry]))));
  const fresh = (): string => {
    for (let count = entries.length + 1; ; count += 1)
      if (!Object.hasOwn(value, `field${count}`)) return `field${count}`;
  };
  return (
    <div className="grid gap-3 sm:col-span-2">
      {entries.map(([name, leased], at) => (
        <fieldset key={at} className="grid items-start gap-3 sm:grid-cols-[12rem_1fr_auto]">
          <legend className="sr-only">Field {name}</legend>
          <TextField
            label="Field"
            isCode
            value={name}
            // A name that another field has would take that one's place.
            onChange={(next) => !(next !== name && Object.hasOwn(value, next)) && put(at, [next, leased])}
            disabled={disabled}
          />
          <ParsedInput
            value={leased}
            onChange={(next) => put(at, [name, next ?? ''])}
            read={valueOf}
            write={textOfValue}
          >
            {(text, change) => (
              <TemplateField label="Value" names={names} value={text} onChange={change} disabled={disabled} />
            )}
          </ParsedInput>
          {!disabled && (
            <Button
              look="ghost"
              className="justify-self-end sm:mt-6"
              aria-label={`Remove field ${name}`}
              icon={<X className="size-4" aria-hidden="true" />}
              onClick={() => put(at, null)}
            />
          )}
        </fieldset>
      ))}
      {!disabled && (
        <Button
          size="small"
          className="justify-self-start"
          icon={<Plus className="size-4" aria-hidden="true" />}
          onClick={() => onChange({ ...value, [fresh()]: '' })}
        >
          Add field
        </Button>
      )}
    </div>
  );
}
