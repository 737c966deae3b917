import type { NatsConnectionManager } from '../transport/nats-connection-manager';
import { FramePublisher } from './frame-publisher';
import { EPOCH_HEADER } from './frame-puller';

jest.useFakeTimers();

/** A publisher whose line is in the hands of the test. */
function aPublisher() {
  let answer: (error: null, message: { subject: string; data: Buffer; string: () => string }) => void = () => undefined;
  const ups: (() => void)[] = [];
  const downs: (() => void)[] = [];
  const sent: { subject: string; reply: string; epoch: string | undefined }[] = [];
  const link = {
    isUp: true,
    maxPayload: 1_000_000,
    options: { service: 'agent', log: { warn: () => undefined, error: () => undefined } },
    onUp: (listener: () => void) => ups.push(listener),
    onDown: (listener: () => void) => downs.push(listener),
    subscriptions: { add: (_: string, { callback }: { callback: typeof answer }) => (answer = callback) },
    nc: {
      publish: (
        subject: string,
        _: unknown,
        { reply, headers }: { reply: string; headers: { encode: () => Buffer } },
      ) => sent.push({ subject, reply, epoch: headers.encode().toString().split(`${EPOCH_HEADER}: `)[1]?.trim() }),
    },
  };
  const publisher = new FramePublisher(link as unknown as NatsConnectionManager);
  const turn = (isUp: boolean): void => {
    link.isUp = isUp;
    for (const listener of isUp ? ups : downs) listener();
  };
  const reply = (text: string, to = sent.splice(0)): void => {
    for (const { reply: subject } of to) answer(null, { subject, data: Buffer.from(text), string: () => text });
  };
  const publish = (firstSeq: number, subject = 'frames.k'): void => {
    publisher.publish({ spaceId: 's', subject, messageId: `${subject}:${firstSeq}`, epoch: 1, firstSeq }, Buffer.of(1));
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

  it('are those that JetStream refuses on a line that stands, and all behind them, each for a while', async () => {
    const { publisher, publish, reply, sent } = aPublisher();
    await pass(6_000);
    publish(1);
    reply('{"error":{"code":503}}');
    expect(publisher.firstUnsent('frames.k')).toBe(1);
    await pass(2_000);
    publish(2);
    publish(1, 'frames.other');
    expect(publisher.firstUnsent('frames.other')).toBe(1);
    await pass(4_000);
    expect(publisher.firstUnsent('frames.k')).toBe(2);
    const woken: (string | null)[] = [];
    publisher.afterSending = (subject) => woken.push(subject);
    await pass(3_000);
    expect(publisher.firstUnsent('frames.k')).toBeNull();
    expect(woken).toContain(null);
    publish(3);
    expect(publisher.firstUnsent('frames.k')).toBe(3);
    reply('{"stream":"FRAMES","seq":1}', sent.splice(-1));
    publish(4);
    expect(publisher.firstUnsent('frames.k')).toBeNull();
    publisher.stop();
  });

  it('are those that JetStream leaves without a reply, for a while', async () => {
    const { publisher, publish } = aPublisher();
    await pass(6_000);
    publish(1);
    await pass(4_000);
    expect(publisher.firstUnsent('frames.k')).toBe(1);
    await pass(3_000);
    expect(publisher.firstUnsent('frames.k')).toBeNull();
    publisher.stop();
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

describe('frames of a turn that this process holds under another epoch', () => {
  it('are sent again under it, in order, and are stored only with the reply to that', async () => {
    const { publisher, publish, reply, sent } = aPublisher();
    await pass(0);
    publish(1);
    publish(2);
    const earlier = sent.splice(0);
    publisher.reissue('frames.k', 2);
    expect(sent.map(({ epoch }) => epoch)).toEqual(['2', '2']);
    reply('{"stream":"FRAMES","seq":1}', earlier);
    expect(publisher.firstPending('frames.k')).toBe(1);
    reply('{"stream":"FRAMES","seq":3}', sent.splice(0, 1));
    expect(publisher.firstPending('frames.k')).toBe(2);
    reply('{"stream":"FRAMES","seq":4}');
    expect(publisher.isPending('frames.k')).toBe(false);
  });
});
