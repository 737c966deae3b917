import type { NatsConnection } from 'nats';

/**
 * Sends everything published in one turn of the event loop in one packet. The client would write after each callback,
 * and a system call costs more than a message.
 */
export function coalesceSocketWrites(connection: NatsConnection): void {
  const { protocol } = connection as unknown as { protocol: { flushPending: () => void } };
  const send = protocol.flushPending.bind(protocol);
  let due = false;
  protocol.flushPending = () => {
    if (due) return;
    due = true;
    setImmediate(() => {
      due = false;
      send();
    });
  };
}
