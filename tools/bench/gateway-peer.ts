import type { PlatformState } from '@switchyard/testing';
import { type Peer, startPeer } from '../../libs/messaging/test/conformance/peer';

/** Calls services as the gateway does, without the gateway. */
export function startGatewayPeer(state: PlatformState): Promise<Peer> {
  const services = Object.entries(state.secrets.services);
  return startPeer({
    service: 'gateway',
    natsUrl: state.natsUrl,
    nkeySeed: state.secrets.services.gateway?.nats.seed,
    keys: {
      privateKeys: Object.fromEntries(services.map(([name, each]) => [name, each.privateKey])),
      publicKeys: Object.fromEntries(services.map(([name, each]) => [name, each.publicKey])),
    },
  });
}
