import { type EventContract, Nothing } from '@switchyard/contracts';
import type { JetStreamManager } from 'nats';
import { AcknowledgedEventPurge } from './purge-acknowledged-events';

const contract = { kind: 'event', name: 'task.done', source: 'task', data: Nothing, consumers: ['job'] };

/** A server whose consumer reports nothing pending because it lags behind the stream. */
const serverAt = (lastSeq: number, purged: unknown[]): JetStreamManager =>
  ({
    streams: {
      info: () =>
        Promise.resolve({
          state: {
            messages: lastSeq,
            bytes: 1,
            first_seq: 1,
            last_seq: lastSeq,
            subjects: { 'event.task.done': lastSeq },
          },
          config: { max_bytes: 1_000 },
        }),
      purge: (_: string, what: unknown) => Promise.resolve(purged.push(what)),
    },
    consumers: {
      list: () => [
        {
          name: 'job-task_done',
          config: { filter_subject: 'event.task.done' },
          ack_floor: { stream_seq: 7 },
          num_pending: 0,
          num_ack_pending: 0,
        },
      ],
    },
  }) as unknown as JetStreamManager;

describe('the space of the event stream', () => {
  it('is freed up to what was there a round ago, where a consumer has nothing to do', async () => {
    const space = new AcknowledgedEventPurge(null as never, null as never, () => [
      contract as unknown as EventContract,
    ]);
    const purged: unknown[] = [];
    for (const lastSeq of [20, 25, 5, 9]) await space.free(serverAt(lastSeq, purged));
    expect(purged).toEqual([{ seq: 8 }, { seq: 21 }, { seq: 6 }, { seq: 8 }]);
  });
});
