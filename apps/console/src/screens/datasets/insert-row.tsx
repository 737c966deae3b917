import { type ReactNode, useState } from 'react';
import type { Dataset, DatasetField } from '@switchyard/client';
import { useIdempotencyKey } from '../../api/use-idempotency-key';
import { useClient } from '../../session/session-context';
import { Dialog } from '../../ui/dialog';
import { problemOf } from '../../ui/errors';
import { AreaField, SelectField, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { useAction } from '../../ui/use-action';
import { choicesOf, isLong, problemWords, textOf, valueOf } from './values';

interface Props {
  dataset: Dataset;
  open: boolean;
  onClose: () => void;
}

/** Empty fields are not sent: the default applies, or there is no value. */
export function InsertRow({ dataset, open, onClose }: Props): ReactNode {
  const client = useClient();
  const keys = useIdempotencyKey();
  const [texts, setTexts] = useState<Record<string, string>>({});
  const { fields } = dataset.schema;
  const insert = useAction(
    () => {
      const given = fields.filter(({ name }) => (texts[name] ?? '') !== '');
      const record = Object.fromEntries(given.map((field) => [field.name, valueOf(field, texts[field.name] ?? '')]));
      return client.datasets.insert(dataset.id, [record], { idempotencyKey: keys.keyFor(record) });
    },
    { changes: [['datasets']], done: 'Row inserted.' },
  );
  const submit = async (): Promise<void> => {
    if (!(await insert.run())) return;
    keys.done();
    setTexts({});
    onClose();
  };
  return (
    <Dialog open={open} onClose={onClose} title="Insert row" wide>
      <Form submit="Insert row" isBusy={insert.isBusy} error={insert.error} onSubmit={submit} onCancel={onClose}>
        <div className="grid gap-4 sm:grid-cols-2">
          {fields.map((field) => (
            <FieldInput
              key={field.name}
              field={field}
              value={texts[field.name] ?? ''}
              onChange={(text) => setTexts((old) => ({ ...old, [field.name]: text }))}
              problem={problemWords(field.type, problemOf(insert.error, `records[0].${field.name}`))}
            />
          ))}
        </div>
      </Form>
    </Dialog>
  );
}

interface InputProps {
  field: DatasetField;
  value: string;
  onChange: (text: string) => void;
  problem: string | undefined;
}

function FieldInput({ field, ...rest }: InputProps): ReactNode {
  const text = [field.type, field.required === true && 'required', field.unique === true && 'unique'];
  const standard = field.default === undefined ? '' : `; ${textOf(field.default)} unless given`;
  const common = { ...rest, label: field.name, hint: `${text.filter(Boolean).join(', ')}${standard}` };
  const choices = choicesOf(field);
  if (choices !== null) {
    const options = choices.map((choice) => ({ value: choice, label: choice }));
    return <SelectField {...common} options={[{ value: '', label: 'No value' }, ...options]} />;
  }
  if (isLong(field)) return <AreaField {...common} rows={3} isCode={field.type !== 'text'} />;
  return <TextField {...common} placeholder={PLACEHOLDERS[field.type]} />;
}

const PLACEHOLDERS: Partial<Record<DatasetField['type'], string>> = {
  date: '2026-01-31',
  datetime: '2026-01-31T08:00:00Z',
  decimal: '12.50',
};
