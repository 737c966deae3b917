import { defineSignal } from '../define/define-contracts';
import { InSpace } from '../key/spaces';

export const RelaySignals = {
  /** A Space's balance was changed manually: cached headroom is stale. */
  accountChanged: defineSignal({
    name: 'relay.account-changed',
    senders: ['relay'],
    hearers: ['relay', 'agent'],
    data: InSpace,
  }),
};
