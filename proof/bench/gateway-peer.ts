import { type PlatformState, TestPlatform } from '@switchyard/testing';
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

/** For questions that are asked of services directly, about what stands in the database of the platform. */
export async function withPeer<T>(
  state: PlatformState,
  work: (platform: TestPlatform, peer: Peer) => Promise<T>,
): Promise<T> {
  const platform = new TestPlatform();
  const peer = await startGatewayPeer(state);
  try {
    return await work(platform, peer);
  } finally {
    await peer.stop();
    await platform.database.close();
  }
}
