import type { MatchedEmissions, TriggerTask } from '@switchyard/contracts';

/** Deliveries of an event bus message, one by one. Deliveries of one emission share its trigger: it is not copied. */
export const deliveriesOf = (spaceId: string, { emissions }: MatchedEmissions): TriggerTask[] =>
  emissions.flatMap(({ trigger, deliveries }) =>
    deliveries.map(({ deliveryId, subscriptionId, taskId, replay }) => ({
      deliveryId,
      spaceId,
      envelopeId: trigger.id,
      subscriptionId,
      taskId,
      replay,
      trigger,
    })),
  );
