import type { ReactNode } from 'react';
import type { Agent } from '@switchyard/client';
import { useModels } from '../../api/use-models';
import { Note } from '../../ui/note';

interface Props {
  agent: Pick<Agent, 'model' | 'fallbackModels'> | undefined;
  className: string;
}

/** A warning before the first message: the relay refuses a call if it does not offer its model or a fallback model. */
export function MissingModel({ agent, className }: Props): ReactNode {
  const offered = useModels().map(({ id }) => id);
  const missing = agent && [agent.model, ...agent.fallbackModels].find((id) => !offered.includes(id));
  if (offered.length === 0 || missing === undefined) return null;
  return (
    <Note tone="warn" className={className}>
      The relay does not offer the model {missing}: messages to this agent fail until it does.
    </Note>
  );
}
