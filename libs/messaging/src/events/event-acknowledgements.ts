import { failpoint } from '@switchyard/kernel';
import { NatsConnectionManager } from '../transport/nats-connection-manager';
import { confirmSubject } from './outbox-runner';

const WINDOW_MS = 20;

/**
 * Tells the sources which of their events have taken effect here. A missing confirmation only costs one more delivery.
 */
export class Confirmations {
  private readonly bySource = new Map<string, string[]>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly link: NatsConnectionManager) {
    // Send confirmations that were queued during the disconnect.
    link.onUp(() => {
      this.flush();
    });
  }

  add(source: string, id: string): void {
    const ids = this.bySource.get(source);
    if (ids) ids.push(id);
    else this.bySource.set(source, [id]);
    this.timer ??= setTimeout(() => {
      this.send().catch((error: unknown) => {
        this.link.options.log.warn({ err: error }, 'failed to send acknowledgements; the events will be redelivered');
      });
    }, WINDOW_MS);
  }

  private async send(): Promise<void> {
    await failpoint('inbox.confirming');
    this.flush();
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.link.isUp) return;
    for (const [source, ids] of this.bySource) {
      this.link.nc.publish(confirmSubject(source), JSON.stringify({ consumer: this.link.options.service, ids }));
    }
    this.bySource.clear();
  }
}
