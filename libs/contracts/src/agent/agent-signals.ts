import { defineSignal } from '../define/define-contracts';
import { Field } from '../fields/field';
import { f } from '../fields/field-schema';

export class AgentChanged {
  @Field(f.id()) spaceId!: string;
  @Field(f.id()) agentId!: string;
}

export const AgentSignals = {
  /** An agent was changed or deleted: replicas drop it from their caches. */
  changed: defineSignal({ name: 'agent.changed', senders: ['agent'], hearers: ['agent'], data: AgentChanged }),
};
