import { type ReactNode, useState } from 'react';
import type { Model } from '@switchyard/client';
import { useModels } from '../../api/use-models';
import { SelectField, TextField } from '../../ui/field';
import { compactNumber, cost, number } from '../../ui/format';

const OTHER = 'other:';

interface Props {
  value: string;
  onChange: (model: string) => void;
  problem: string | undefined;
  disabled: boolean;
}

/** The models that chat, with window and price. Any other id is taken too: the relay may offer it tomorrow. */
export function ModelField({ value, onChange, problem, disabled }: Props): ReactNode {
  const models = useModels().filter(({ capabilities }) => capabilities.includes('chat'));
  const [isOther, setOther] = useState(false);
  const existing = models.find(({ id }) => id === value);
  if (models.length === 0)
    return <TextField label="Model" value={value} onChange={onChange} problem={problem} disabled={disabled} required />;
  const isFree = isOther || (value !== '' && !existing);
  return (
    <div className="grid gap-2 sm:col-span-2">
      <SelectField
        label="Model"
        value={isFree ? OTHER : value}
        onChange={(next) => {
          setOther(next === OTHER);
          onChange(next === OTHER ? '' : next);
        }}
        options={[
          ...(value === '' && !isFree ? [{ value: '', label: 'Choose a model' }] : []),
          ...models.map((model) => ({ value: model.id, label: labelOf(model) })),
          { value: OTHER, label: 'Another model' },
        ]}
        problem={isFree ? undefined : problem}
        hint={existing && wordsOf(existing)}
        disabled={disabled}
        required
      />
      {isFree && (
        <TextField
          label="Model id"
          isCode
          value={value}
          onChange={onChange}
          problem={problem}
          hint={value === '' ? undefined : 'The relay does not offer it now: calls fail until it does.'}
          disabled={disabled}
          required
        />
      )}
    </div>
  );
}

const labelOf = ({ id, context_window: window, pricing }: Model): string =>
  `${id} · ${compactNumber(window)} · ${cost(pricing.input)} / ${cost(pricing.output)}`;

const wordsOf = ({ context_window: window, max_output_tokens: output, pricing }: Model): string =>
  `Window of ${number(window)} tokens, answers up to ${number(output)}. A million tokens: ${cost(pricing.input)} read, ${cost(pricing.output)} written.`;
