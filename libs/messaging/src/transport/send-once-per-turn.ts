import type { NatsConnection } from 'nats';

/**
 * What is published in one turn of the event loop leaves in one packet at its end. By itself the client writes after
 * each callback, and a system call costs more than the message in it.
 */
export function sendOncePerTurn(connection: NatsConnection): void {
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
