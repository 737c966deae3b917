import { AdaptivePollInterval } from '@switchyard/concurrency';
import { type EventContract, allContracts } from '@switchyard/contracts';
import type { ConsumerInfo, JetStreamManager } from 'nats';
import type { JetStreamConnection } from '../transport/jetstream-connection';
import type { BusLog } from '../options';
import { confirmedFloor, globalFloor, subjectFloors } from './acknowledged-positions';
import { EVENTS_STREAM } from '../transport/stream-and-consumer-definitions';

const ROUND_MS = 2_000;
/** Sequence numbers removed by one purge, which blocks the server. */
const BATCH = 50_000;
/** From this fill level on, confirmed events are purged by subject, not only from the start of the stream. */
const CROWDED = 0.25;

/**
 * Purges events that all consumers have confirmed: the server only expires them by age, and three days of events would
 * have to fit. Unconfirmed events are never removed.
 */
export class AcknowledgedEventPurge {
  private readonly stopping = new AbortController();
  private loop: Promise<void> | undefined;
  private readonly pause = new AdaptivePollInterval(ROUND_MS);
  private measured = { used: 0, limit: 0 };
  /** Last sequence of the stream at the previous round. */
  private lastSeq = 0;

  constructor(
    private readonly line: JetStreamConnection,
    private readonly log: BusLog,
    private readonly contracts: () => EventContract[] = () =>
      allContracts().filter((contract): contract is EventContract => contract.kind === 'event'),
  ) {}

  /** Metric, as of the last round. */
  get usage(): { used: number; limit: number } {
    return this.measured;
  }

  start(): void {
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.pause.wake();
    await this.loop;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.pause.wait();
      // oxlint-disable-next-line typescript/no-unnecessary-condition -- it changes while we wait
      if (signal.aborted || !this.line.isUp) continue;
      try {
        await this.free(await this.line.nc.jetstreamManager({ checkAPI: false }));
      } catch (error) {
        this.log.debug({ err: error }, 'failed to free space in the event stream');
      }
    }
  }

  async free(jsm: JetStreamManager): Promise<void> {
    const { state, config } = await jsm.streams.info(EVENTS_STREAM, { subjects_filter: '>' });
    this.measured = { used: state.bytes, limit: config.max_bytes };
    // A recreated stream starts from 1 again.
    const earlierSeq = this.lastSeq <= state.last_seq ? this.lastSeq : 0;
    this.lastSeq = state.last_seq;
    this.pause.looked(state.messages > 0 && 'soon');
    if (state.messages === 0) return;
    const consumers: ConsumerInfo[] = [];
    for await (const consumer of jsm.consumers.list(EVENTS_STREAM)) consumers.push(consumer);
    // With replicas, a consumer's server may lag: an idle consumer has confirmed everything up to the previous round
    // only.
    const floors = subjectFloors({
      subjects: Object.keys(state.subjects ?? {}),
      contracts: this.contracts(),
      floors: consumers.map((consumer) => ({
        name: consumer.name,
        subject: consumer.config.filter_subject ?? '>',
        floor: confirmedFloor(consumer, earlierSeq),
      })),
      lastSeq: state.last_seq,
    });
    const all = globalFloor(floors, state.last_seq);
    for (let seq = state.first_seq + BATCH; seq <= all; seq += BATCH) await jsm.streams.purge(EVENTS_STREAM, { seq });
    if (all >= state.first_seq) await jsm.streams.purge(EVENTS_STREAM, { seq: all + 1 });
    if (state.bytes < config.max_bytes * CROWDED) return;
    for (const [subject, floor] of floors)
      if (floor > all) await jsm.streams.purge(EVENTS_STREAM, { filter: subject, seq: floor + 1 });
  }
}
