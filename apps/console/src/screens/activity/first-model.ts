import type { Agent, Model } from '@switchyard/client';

/**
 * The model for a first agent, of those that there are to talk with: the one of a built-in agent, which its operator has
 * chosen, or the first. Built-in agents may name a model that the catalogue does not have.
 */
export function firstModel(models: readonly Model[], builtIn: readonly Pick<Agent, 'model'>[]): string {
  const talking = models.filter(({ capabilities }) => capabilities.includes('chat')).map(({ id }) => id);
  const model = builtIn.map((agent) => agent.model).find((id) => talking.includes(id)) ?? talking[0];
  if (model === undefined)
    throw new Error('No model to talk with is configured. Ask the operator to add one to the model catalogue.');
  return model;
}
