import { defineSignal } from '../define/contracts';
import { Field } from '../fields/field';
import { f } from '../fields/spec';

export class ThreadChanged {
  @Field(f.id()) spaceId!: string;
  @Field(f.id()) sessionId!: string;
}

export const ThreadSignals = {
  /** A turn began in a session, or goes on in it: whoever tells of the session, on whichever replica, looks now. */
  threadChanged: defineSignal({
    name: 'gateway.thread-changed',
    senders: ['gateway'],
    hearers: ['gateway'],
    data: ThreadChanged,
  }),
};
