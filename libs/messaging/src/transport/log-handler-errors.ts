import { noteActivity } from '@switchyard/concurrency';
import type { Msg, NatsError } from 'nats';
import type { BusLog } from '../options';

/** Wraps a subscription callback: errors are logged, and do not crash the process. */
export const logHandlerErrors =
  (log: BusLog, what: string, handle: (message: Msg) => void | Promise<void>) =>
  (refusal: NatsError | null, message: Msg): void => {
    if (refusal) return;
    noteActivity();
    const failed = (error: unknown): void => {
      log.error({ err: error, what }, 'failed to handle a message');
    };
    try {
      handle(message)?.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
