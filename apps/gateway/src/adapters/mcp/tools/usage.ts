import { RelayCalls, UsageQuery, listOf } from '@switchyard/contracts';
import { UsageRow, usageRow } from '../../../routes/usage/usage.dto';
import { defineTool } from '../tool';

export const getUsage = defineTool({
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
});
