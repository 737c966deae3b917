import type { ReactNode } from 'react';
import { Plus, X } from 'lucide-react';
import { Button } from '../../ui/button';
import { problemOf } from '../../ui/errors';
import { SelectField, TextField } from '../../ui/field';
import { type RuleDraft, emptyRule, hasInvalidFilter } from './space-form';

interface Props {
  rules: readonly RuleDraft[];
  onChange: (rules: readonly RuleDraft[]) => void;
  error: unknown;
  isReadOnly: boolean;
}

const APPROVERS = [
  { value: 'USER', label: 'The user of the turn' },
  { value: 'ADMIN', label: 'An admin' },
  { value: 'OTHER', label: 'Another member' },
];

/** Which calls of tools wait for a person, whichever agent makes them. */
export function ApprovalRules({ rules, onChange, error, isReadOnly }: Props): ReactNode {
  const change = (key: string, changes: Partial<RuleDraft>): void =>
    onChange(rules.map((rule) => (rule.key === key ? { ...rule, ...changes } : rule)));
  return (
    <div className="grid gap-3">
      <p className="text-soft">
        Calls of these tools wait for a person, whichever agent makes them. Rules of an agent apply as well.
      </p>
      {rules.map((rule, at) => {
        const problem = (field: string): string | undefined => problemOf(error, `settings.approvals[${at}].${field}`);
        return (
          <fieldset
            key={rule.key}
            className="grid items-start gap-3 rounded-lg border border-line p-3 sm:grid-cols-[1fr_12.5rem_1fr_auto]"
          >
            <legend className="sr-only">Rule {at + 1}</legend>
            <TextField
              label="Tool"
              isCode
              placeholder="write_dataset"
              value={rule.tool}
              onChange={(tool) => change(rule.key, { tool })}
              problem={problem('tool')}
              disabled={isReadOnly}
            />
            <SelectField
              label="Approved by"
              value={rule.by}
              onChange={(by) => change(rule.key, { by: by === 'ADMIN' || by === 'OTHER' ? by : 'USER' })}
              options={APPROVERS}
              problem={problem('by')}
              disabled={isReadOnly}
            />
            <TextField
              label="When"
              isCode
              placeholder='{"operation": "delete"}'
              value={rule.when}
              onChange={(when) => change(rule.key, { when })}
              problem={hasInvalidFilter(rule) ? 'Must be a JSON object.' : problem('when')}
              hint="A filter over the arguments; empty: every call."
              disabled={isReadOnly}
            />
            {!isReadOnly && (
              <Button
                look="ghost"
                className="justify-self-end sm:mt-6"
                aria-label={`Remove rule ${at + 1}`}
                icon={<X className="size-4" aria-hidden="true" />}
                onClick={() => onChange(rules.filter(({ key }) => key !== rule.key))}
              />
            )}
          </fieldset>
        );
      })}
      {isReadOnly && rules.length === 0 && <p className="text-faint">No rules.</p>}
      {!isReadOnly && (
        <Button
          className="justify-self-start"
          icon={<Plus className="size-4" aria-hidden="true" />}
          onClick={() => onChange([...rules, emptyRule()])}
        >
          Add rule
        </Button>
      )}
    </div>
  );
}
