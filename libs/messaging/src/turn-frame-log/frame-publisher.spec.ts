import type { NatsLink } from '../transport/nats-link';
import { FramePublisher } from './frame-publisher';

jest.useFakeTimers();

/** A publisher whose line is in the hands of the test. */
function aPublisher() {
  let answer: (error: null, message: { subject: string; data: Buffer; string: () => string }) => void = () => undefined;
  const ups: (() => void)[] = [];
  const downs: (() => void)[] = [];
  const sent: { subject: string; reply: string }[] = [];
  const link = {
    isUp: true,
    maxPayload: 1_000_000,
    options: { service: 'agent', log: { warn: () => undefined, error: () => undefined } },
    onUp: (listener: () => void) => ups.push(listener),
    onDown: (listener: () => void) => downs.push(listener),
    subscriptions: { add: (_: string, { callback }: { callback: typeof answer }) => (answer = callback) },
    nc: { publish: (subject: string, _: unknown, { reply }: { reply: string }) => sent.push({ subject, reply }) },
  };
  const publisher = new FramePublisher(link as unknown as NatsLink);
  const turn = (isUp: boolean): void => {
    link.isUp = isUp;
    for (const listener of isUp ? ups : downs) listener();
  };
  const reply = (text: string): void => {
    for (const { reply: subject } of sent.splice(0))
      answer(null, { subject, data: Buffer.from(text), string: () => text });
  };
  const publish = (firstSeq: number): void => {
    publisher.publish(
      { spaceId: 's', subject: 'frames.k', messageId: `k:${firstSeq}`, epoch: 1, firstSeq },
      Buffer.of(1),
    );
  };
  turn(true);
  return { publisher, publish, reply, sent, turn };
}

const pass = (ms: number): Promise<unknown> => jest.advanceTimersByTimeAsync(ms);

describe('frames that NATS may not have got', () => {
  it('are none on a line that has been up for a while, confirmed or not', async () => {
    const { publisher, publish } = aPublisher();
    await pass(6_000);
    publish(1);
    expect(publisher.firstUnsent('frames.k')).toBeNull();
  });

  it('are those of a line that is down, and after it those that are not confirmed', async () => {
    const { publisher, publish, reply, turn } = aPublisher();
    const woken: (string | null)[] = [];
    publisher.afterSending = (subject) => woken.push(subject);
    await pass(6_000);
    publish(1);
    turn(false);
    publish(2);
    expect(publisher.firstUnsent('frames.k')).toBe(1);
    turn(true);
    await pass(0);
    expect(publisher.firstUnsent('frames.k')).toBe(1);
    woken.length = 0;
    reply('{"stream":"FRAMES","seq":1}');
    expect(publisher.firstUnsent('frames.k')).toBeNull();
    expect(woken).toContain('frames.k');
  });

  it('are sent again soon if JetStream refuses them after a connect, and readers do not wait for ever', async () => {
    const { publisher, publish, reply, sent, turn } = aPublisher();
    await pass(6_000);
    turn(false);
    publish(1);
    turn(true);
    await pass(0);
    reply('');
    await pass(1_000);
    expect(sent).toHaveLength(1);
    expect(publisher.firstUnsent('frames.k')).toBe(1);
    await pass(6_000);
    expect(publisher.firstUnsent('frames.k')).toBeNull();
  });
});
