import type { NatsConnectionManager } from '../transport/nats-connection-manager';
import { Confirmations } from './event-acknowledgements';

describe('confirmations', () => {
  it('are said when the line is back, where it was away', () => {
    const sent: string[] = [];
    let comesBack = (): void => undefined;
    const link = {
      isUp: false,
      onUp: (listener: () => void) => (comesBack = listener),
      nc: { publish: (subject: string, text: string) => sent.push(`${subject} ${text}`) },
      options: { service: 'job' },
    };
    const confirmations = new Confirmations(link as unknown as NatsConnectionManager);
    confirmations.add('task', 'one');
    confirmations.flush();
    expect(sent).toEqual([]);
    link.isUp = true;
    comesBack();
    expect(sent).toEqual(['confirm.task {"consumer":"job","ids":["one"]}']);
  });
});
