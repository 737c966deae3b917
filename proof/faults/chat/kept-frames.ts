import { FramePuller, NatsConnectionManager, frameSubject } from '@switchyard/messaging';
import type { TestPlatform } from '@switchyard/testing';

const silent = (): void => undefined;

/**
 * Batches that the log of frames holds twice, by the keys of their turns. Readers leave out what they know, so that
 * their clients would never tell.
 */
export async function framesStoredTwice(platform: TestPlatform, keys: readonly string[]): Promise<string[]> {
  const { natsUrl, secrets } = platform.state;
  const own = secrets.services.agent;
  const link = new NatsConnectionManager({
    service: 'agent',
    instance: 'kept-frames',
    natsUrl,
    nkeySeed: own?.nats.seed,
    privateKey: own?.privateKey ?? '',
    publicKeys: {},
    internalUrls: {},
    log: { info: silent, warn: silent, error: silent, debug: silent },
  });
  await link.ready();
  const queue = [...keys];
  const twice: string[] = [];
  const reader = async (): Promise<void> => {
    for (let key = queue.pop(); key !== undefined; key = queue.pop()) twice.push(...(await repeatsIn(link, key)));
  };
  try {
    await Promise.all(Array.from({ length: 8 }, reader));
  } finally {
    await link.close();
  }
  return twice;
}

async function repeatsIn(link: NatsConnectionManager, key: string): Promise<string[]> {
  const puller = new FramePuller(link, frameSubject(key), false, new AbortController().signal);
  const seen = new Set<string>();
  const twice: string[] = [];
  try {
    for await (const { bytes, epoch } of puller.messages()) {
      const batch = `${epoch} ${Buffer.from(bytes).toString()}`;
      if (bytes.byteLength > 0 && seen.has(batch)) twice.push(`${key}: ${batch.slice(0, 80)}`);
      seen.add(batch);
    }
  } finally {
    puller.close();
  }
  return twice;
}
