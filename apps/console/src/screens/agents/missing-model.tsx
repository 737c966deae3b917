import type { ReactNode } from 'react';
import type { Agent } from '@switchyard/client';
import { useModels } from '../../api/use-models';
import { Note } from '../../ui/note';

interface Props {
  agent: Pick<Agent, 'model' | 'fallbackModels'> | undefined;
  className: string;
}

/** A warning before the first message: the relay leaves out models that it does not offer, and needs one that it does. */
export function MissingModel({ agent, className }: Props): ReactNode {
  const offered = useModels().map(({ id }) => id);
  const models = agent ? [agent.model, ...agent.fallbackModels] : [];
  const missing = models.find((id) => !offered.includes(id));
  if (offered.length === 0 || missing === undefined) return null;
  const used = models.find((id) => offered.includes(id));
  return (
    <Note tone="warn" className={className}>
      The relay does not offer the model {missing}:{' '}
      {used === undefined ? 'messages to this agent fail until it does.' : `this agent uses ${used} in its place.`}
    </Note>
  );
}
