import { defineSignal } from '../define/contracts';
import { InSpace } from '../key/spaces';

export const RelaySignals = {
  /** A Space's balance was changed by hand: what was known of its room says nothing any more. */
  accountChanged: defineSignal({
    name: 'relay.account-changed',
    senders: ['relay'],
    hearers: ['relay', 'agent'],
    data: InSpace,
  }),
};
