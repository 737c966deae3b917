import { Inject, Injectable } from '@nestjs/common';
import { sleep } from '@switchyard/kernel';
import { controlSubject } from './frame-encoding';
import { NatsConnectionManager } from './nats-connection-manager';
import { RequestMultiplexer } from './request-multiplexer';

const ANSWER_WITHIN_MS = 1000;
/** Longer than a usual reconnect. */
const LOOK_AGAIN_AFTER_MS = 500;

/** Liveness of the other replicas of this service, as seen by NATS. */
@Injectable()
export class ReplicaLiveness {
  constructor(
    @Inject(NatsConnectionManager) private readonly link: NatsConnectionManager,
    @Inject(RequestMultiplexer) private readonly line: RequestMultiplexer,
  ) {}

  /**
   * Instances that are certainly dead: their control subject had no subscriber twice. Slow or stopped processes still
   * subscribe; after a disconnect of our own, none counts as dead.
   */
  async findDead(instances: readonly string[]): Promise<string[]> {
    if (instances.length === 0 || !this.link.isSettled()) return [];
    const missing = await this.missingOf(instances);
    if (missing.length === 0) return [];
    await sleep(LOOK_AGAIN_AFTER_MS);
    const dead = await this.missingOf(missing);
    return this.link.isSettled() ? dead : [];
  }

  private async missingOf(instances: readonly string[]): Promise<string[]> {
    const listening = await Promise.all(instances.map((instance) => this.isListening(instance)));
    return instances.filter((_, at) => listening[at] === false);
  }

  private async isListening(instance: string): Promise<boolean> {
    return (await stateOfProcess(this.line, controlSubject(this.link.options.service, instance))) !== 'gone';
  }
}

/** `gone`: no subscriber. `silent`: a slow or stopped process. */
export async function stateOfProcess(
  line: RequestMultiplexer,
  subject: string,
): Promise<'answers' | 'silent' | 'gone'> {
  try {
    const payload = Buffer.from(JSON.stringify({ kind: 'alive', streams: [] }));
    await line.ask({ subject, payload, deadline: Date.now() + ANSWER_WITHIN_MS });
    return 'answers';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === '503' ? 'gone' : 'silent';
  }
}

/** Whether the process behind a control subject has died: twice without subscribers. */
export async function isProcessDead(line: RequestMultiplexer, subject: string): Promise<boolean> {
  if ((await stateOfProcess(line, subject)) !== 'gone') return false;
  await sleep(LOOK_AGAIN_AFTER_MS);
  return (await stateOfProcess(line, subject)) === 'gone';
}
