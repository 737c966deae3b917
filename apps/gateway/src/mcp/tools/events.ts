import { EventBusCalls, Field, RelayCalls, Replayed, UsageQuery, f, listOf } from '@switchyard/contracts';
import { UsageRow, usageRow } from '../../usage/usage.dto';
import { defineTool, toolOf } from '../tool';
import { KeyField } from '../tool-key';

class ReplayArguments {
  @Field(f.id()) envelopeId!: string;
  @KeyField() idempotencyKey?: string;
}

export const eventTools = [
  toolOf({
    name: 'list_events',
    title: 'List registered events',
    description: 'The events that installed applications declare, with the schema of their payloads.',
    calls: EventBusCalls.listRegisteredEvents,
    hints: { readOnly: true },
  }),
  toolOf({
    name: 'emit_event',
    title: 'Emit an event',
    description:
      "Emits an event of an application; only the application's own key may. The same idempotencyKey emits once.",
    calls: EventBusCalls.emit,
    hints: {},
  }),
  defineTool({
    name: 'replay_event',
    title: 'Replay an event',
    description: 'Triggers the matching subscriptions of one recorded emission again.',
    calls: EventBusCalls.replay,
    hints: {},
    input: ReplayArguments,
    output: Replayed,
    run: (input, { bus, ctx }) => bus.call(EventBusCalls.replay, ctx, { id: input.envelopeId }),
  }),
  defineTool({
    name: 'get_usage',
    title: 'Read the usage',
    description: 'Calls, tokens and cost of models, grouped by day, model, agent, user, key or source.',
    calls: RelayCalls.usage,
    hints: { readOnly: true },
    input: UsageQuery,
    output: listOf(UsageRow),
    run: async (input, { bus, ctx }) => {
      const { items } = await bus.call(RelayCalls.usage, ctx, input);
      return { items: items.map((row) => usageRow(input.groupBy ?? 'day', row)) };
    },
  }),
];
