import { defineSignal } from '../define/define-contracts';
import { Field } from '../fields/field';
import { f } from '../fields/field-schema';

export class ThreadChanged {
  @Field(f.id()) spaceId!: string;
  @Field(f.id()) sessionId!: string;
}

export const ThreadSignals = {
  /** A turn started or resumed in a session: replicas that stream the session read it again. */
  threadChanged: defineSignal({
    name: 'gateway.thread-changed',
    senders: ['gateway'],
    hearers: ['gateway'],
    data: ThreadChanged,
  }),
};
