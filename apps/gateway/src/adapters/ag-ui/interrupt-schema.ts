import type { InteractionRecord } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';

/** How a question or an approval is answered: the payload of `resume`. */
const ANSWER: JsonObject = {
  type: 'object',
  properties: {
    selectedOptionIds: { type: 'array', items: { type: 'string' } },
    otherText: { type: ['string', 'null'] },
  },
  required: ['selectedOptionIds'],
};

/**
 * `value` is the interaction. Clients of version 1.0 drop unknown fields: `metadata` has it too.
 */
export function interruptOf(interaction: InteractionRecord): JsonObject {
  const { id, purpose, prompt, expiresAt } = interaction;
  return {
    id,
    reason: purpose === 'approval' ? 'approval' : 'question',
    message: String(prompt),
    ...(typeof expiresAt === 'string' ? { expiresAt } : {}),
    responseSchema: ANSWER,
    value: interaction,
    metadata: { interaction: interaction as JsonObject },
  };
}
