import { startInnerSpan } from '@switchyard/kernel';
import type { Command, Redis } from 'ioredis';

/** A span for each command that is part of a trace: its name, never its keys or values. */
export function traceCommands(client: Redis): void {
  const send = client.sendCommand.bind(client);
  client.sendCommand = (command: Command, ...rest) => {
    const span = startInnerSpan(command.name.toUpperCase(), {
      kind: 'client',
      attributes: { 'db.system.name': 'redis', 'db.operation.name': command.name.toUpperCase() },
    });
    if (span) {
      command.promise.then(
        () => {
          span.end();
        },
        (error: unknown) => {
          span.fail(error);
          span.end();
        },
      );
    }
    return send(command, ...rest);
  };
}
