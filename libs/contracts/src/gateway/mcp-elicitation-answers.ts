import type { JsonObject } from '@switchyard/kernel';
import { defineSignal } from '../define/define-contracts';
import { Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';

export class McpAnswer {
  @Field(f.text({ min: 1, max: 100 }), { description: 'The exchange that waits for it; its id cannot be guessed.' })
  exchangeId!: string;
  @Field(f.record(SIZES.body), { description: 'The JSON-RPC response, as the client sent it.' }) message!: JsonObject;
}

export const GatewaySignals = {
  /** A client has answered an elicitation, possibly on another replica than the one that waits for the answer. */
  mcpAnswered: defineSignal({
    name: 'gateway.mcp-answered',
    senders: ['gateway'],
    hearers: ['gateway'],
    data: McpAnswer,
  }),
};
