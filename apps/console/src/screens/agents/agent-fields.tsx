import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/session-context';
import { Badge } from '../../ui/badge';
import { problemOf } from '../../ui/errors';
import { AreaField, CheckField, NumberField, SelectField, TextField } from '../../ui/field';
import { Json, JsonField } from '../../ui/json';
import { Section } from '../../ui/page';
import { type AgentDraft, STRUCTURES, type StructureField, TOOLS } from './agent-form';

interface Props {
  draft: AgentDraft;
  setDraft: (draft: AgentDraft) => void;
  broken: readonly StructureField[];
  problem: Error | null;
  isReadOnly: boolean;
}

export function AgentFields({ draft, setDraft, broken, problem, isReadOnly }: Props): ReactNode {
  const client = useClient();
  const set = (changes: Partial<AgentDraft>): void => setDraft({ ...draft, ...changes });
  const { data: usedModels = [] } = useQuery({
    queryKey: ['agents', 'models'],
    queryFn: async () => {
      const [own, system] = await Promise.all([client.agents.list({ limit: 100 }), client.agents.listSystem()]);
      return [...new Set([...own.items, ...system.items].map(({ model }) => model))];
    },
    staleTime: 60_000,
  });
  const variables = [
    ...new Set([...draft.systemPrompt.matchAll(/\{\{\s*([\w.]+)\s*\}\}/gu)].map(([, name]) => name ?? '')),
  ];
  const common = { disabled: isReadOnly };
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <div>
        <Section title="General">
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label="Name"
              value={draft.name}
              onChange={(name) => set({ name })}
              problem={problemOf(problem, 'name')}
              required
              {...common}
            />
            <TextField
              label="Model"
              value={draft.model}
              onChange={(model) => set({ model })}
              problem={problemOf(problem, 'model')}
              hint={usedModels.length > 0 ? `In use here: ${usedModels.join(', ')}` : undefined}
              required
              {...common}
            />
            <TextField
              label="Description"
              className="sm:col-span-2"
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
              <AreaField
                label="User ids"
                className="sm:col-span-2"
                isCode
                value={draft.allowedUserIds}
                onChange={(allowedUserIds) => set({ allowedUserIds })}
                problem={problemOf(problem, 'allowedUserIds')}
                {...common}
              />
            )}
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
            <NumberField
              label="Temperature"
              step="any"
              min={0}
              max={2}
              value={draft.temperature}
              onChange={(temperature) => set({ temperature })}
              problem={problemOf(problem, 'settings.temperature')}
              {...common}
            />
            <NumberField
              label="Max output tokens"
              min={1}
              value={draft.maxTokens}
              onChange={(maxTokens) => set({ maxTokens })}
              problem={problemOf(problem, 'settings.max_tokens')}
              {...common}
            />
            <NumberField
              label="Max steps"
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
        <Section title="Advanced (JSON)">
          <div className="grid gap-2">
            {STRUCTURES.map(({ field, label, hint }) => (
              <details
                key={field}
                className="rounded-lg border border-line"
                open={problemOf(problem, field) !== undefined || undefined}
              >
                <summary className="px-3 py-2 font-medium">{label}</summary>
                <div className="border-t border-line p-3">
                  {isReadOnly ? (
                    <Json label={label} value={JSON.parse(draft[field]) as unknown} />
                  ) : (
                    <JsonField
                      label={label}
                      value={draft[field]}
                      onChange={(value) => set({ [field]: value })}
                      hint={hint}
                      problem={broken.includes(field) ? 'Invalid JSON.' : problemOf(problem, field)}
                    />
                  )}
                </div>
              </details>
            ))}
          </div>
        </Section>
      </div>
    </div>
  );
}
