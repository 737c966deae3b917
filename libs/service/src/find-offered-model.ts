import { type CallableAgent, type Ctx, type ModelView, RelayCalls, lending } from '@switchyard/contracts';
import { AppError } from '@switchyard/kernel';
import type { Bus } from '@switchyard/messaging';

/** The agent's model, or the first of its fallback models that the relay offers. NOT_FOUND names the agent's model. */
export async function findOfferedModel(
  bus: Bus,
  ctx: Ctx,
  { model, fallbackModels = [] }: Pick<CallableAgent, 'model' | 'fallbackModels'>,
  options: { timeoutMs?: number } = {},
): Promise<ModelView> {
  const isMissing = (error: unknown): boolean => error instanceof AppError && error.code === 'NOT_FOUND';
  const get = (id: string): Promise<ModelView> =>
    bus.call(RelayCalls.getModel, lending(ctx, RelayCalls.getModel), { id }, options);
  try {
    return await get(model);
  } catch (refusal) {
    if (!isMissing(refusal)) throw refusal;
    for (const id of fallbackModels) {
      const found = await get(id).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      if (found) return found;
    }
    throw refusal;
  }
}
