import type { ReactNode } from 'react';
import type { Agent } from '@switchyard/client';
import { Badge } from '../../ui/badge';
import { problemOf } from '../../ui/errors';
import { AreaField, CheckField, NumberField, SelectField, TextField } from '../../ui/field';
import { Section } from '../../ui/page';
import { useRefusedField } from '../../ui/use-refused-field';
import { type AgentDraft, SETTINGS, STRUCTURES, TOOLS } from './agent-form';
import { AllowedUsers } from './allowed-users';
import { ApprovalTester } from './approval-tester';
import { ModelField } from './model-field';
import type { StructureField } from './structure-rows';
import { StructureSection } from './structure-section';

interface Props {
  /** Null for one that is new. */
  agent: Agent | null;
  draft: AgentDraft;
  setDraft: (draft: AgentDraft) => void;
  broken: readonly StructureField[];
  problem: Error | null;
  isReadOnly: boolean;
}

export function AgentFields({ agent, draft, setDraft, broken, problem, isReadOnly }: Props): ReactNode {
  const set = (changes: Partial<AgentDraft>): void => setDraft({ ...draft, ...changes });
  const variables = [
    ...new Set([...draft.systemPrompt.matchAll(/\{\{\s*([\w.]+)\s*\}\}/gu)].map(([, name]) => name ?? '')),
  ];
  const common = { disabled: isReadOnly };
  const fields = useRefusedField<HTMLDivElement>(problem);
  return (
    <div className="@container">
      <div ref={fields} className="grid items-start gap-4 @4xl:grid-cols-2">
        <div>
          <Section title="General">
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField
                label="Name"
                className="sm:col-span-2"
                value={draft.name}
                onChange={(name) => set({ name })}
                problem={problemOf(problem, 'name')}
                required
                {...common}
              />
              <ModelField
                value={draft.model}
                onChange={(model) => set({ model })}
                problem={problemOf(problem, 'model')}
                {...common}
              />
              <AreaField
                label="Description"
                className="sm:col-span-2"
                rows={2}
                value={draft.description}
                onChange={(description) => set({ description })}
                problem={problemOf(problem, 'description')}
                {...common}
              />
              <AreaField
                label="Prompt"
                className="sm:col-span-2"
                rows={10}
                value={draft.systemPrompt}
                onChange={(systemPrompt) => set({ systemPrompt })}
                problem={problemOf(problem, 'systemPrompt')}
                hint={variables.length > 0 ? `Variables: ${variables.join(', ')}` : 'Variables are written {{name}}.'}
                {...common}
              />
            </div>
          </Section>
          <Section title="Access">
            <div className="grid gap-4 sm:grid-cols-2">
              <SelectField
                label="Access"
                value={draft.accessScope}
                onChange={(value) => set({ accessScope: value === 'RESTRICTED' ? 'RESTRICTED' : 'SPACE' })}
                options={[
                  { value: 'SPACE', label: 'Everyone in the Space' },
                  { value: 'RESTRICTED', label: 'Only these people' },
                ]}
                {...common}
              />
              <SelectField
                label="Kind"
                value={draft.agentType}
                onChange={(value) => set({ agentType: value === 'TASK' ? 'TASK' : 'CHAT' })}
                options={[
                  { value: 'CHAT', label: 'Chat' },
                  { value: 'TASK', label: 'Task' },
                ]}
                {...common}
              />
              {draft.accessScope === 'RESTRICTED' && (
                <AllowedUsers
                  value={draft.allowedUserIds}
                  onChange={(allowedUserIds) => set({ allowedUserIds })}
                  problem={problemOf(problem, 'allowedUserIds')}
                  {...common}
                />
              )}
            </div>
          </Section>
          <Section title="Advanced">
            <div className="grid gap-2">
              {STRUCTURES.map((structure) => (
                <StructureSection
                  key={structure.field}
                  {...structure}
                  text={draft[structure.field]}
                  onChange={(text) => set({ [structure.field]: text })}
                  error={problem}
                  isInvalidJson={broken.includes(structure.field)}
                  isReadOnly={isReadOnly}
                >
                  {structure.field === 'approvals' && agent && <ApprovalTester agent={agent} rules={draft.approvals} />}
                </StructureSection>
              ))}
            </div>
          </Section>
        </div>
        <div>
          <Section title="Tools">
            <div className="grid gap-3">
              {TOOLS.map(({ name, does, isAction }) => (
                <CheckField
                  key={name}
                  label={
                    <span className="inline-flex items-center gap-2">
                      <span className="font-mono text-sm">{name}</span>
                      {isAction === true && <Badge tone="warn">can change data</Badge>}
                    </span>
                  }
                  hint={does}
                  checked={draft.tools.includes(name)}
                  onChange={(isOn) =>
                    set({ tools: isOn ? [...draft.tools, name] : draft.tools.filter((tool) => tool !== name) })
                  }
                  {...common}
                />
              ))}
            </div>
          </Section>
          <Section title="Generation">
            <div className="grid gap-4 sm:grid-cols-3">
              {SETTINGS.map(({ field, setting, label, ...bounds }) => (
                <NumberField
                  key={field}
                  label={label}
                  {...bounds}
                  placeholder="Default"
                  value={draft[field]}
                  onChange={(value) => set({ [field]: value })}
                  problem={problemOf(problem, `settings.${setting}`)}
                  {...common}
                />
              ))}
              <NumberField
                label="Max steps"
                placeholder="Default"
                min={1}
                value={draft.maxSteps}
                onChange={(maxSteps) => set({ maxSteps })}
                problem={problemOf(problem, 'maxSteps')}
                {...common}
              />
              <TextField
                label="Fallback models"
                className="sm:col-span-3"
                value={draft.fallbackModels.replaceAll('\n', ', ')}
                onChange={(fallbackModels) => set({ fallbackModels })}
                problem={problemOf(problem, 'fallbackModels')}
                hint="Tried in this order when the model fails."
                {...common}
              />
            </div>
          </Section>
        </div>
      </div>
    </div>
  );
}
