import {
  type EveryProductEvent,
  handleFrame,
  isFrame,
  type ReadDelta,
  type TurnFrame,
  type TurnFrameKinds,
} from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';
import type { Projection, ProtocolEvent } from '../../turn-events/projection';
import { TurnSegments } from '../../turn-events/turn-segments';
import { clientError, type ResponseAbout, ResponsesProjection } from './responses-projection';
import { pieceOf, OUTPUT_IS_VOID, ReplayDeduplicator } from './replay-deduplicator';

type Delta = TurnFrameKinds['contentDelta' | 'reasoningDelta'];
const isDelta = (frame: TurnFrame): frame is Delta =>
  isFrame(frame, 'contentDelta') || isFrame(frame, 'reasoningDelta');

/**
 * A response for append-only clients that cannot attach again: void output would remain beside its replacement. They
 * get each word once. If a step that runs again has different output, the stream ends with an error, as an interrupted
 * one; a repeated request gets no output before all of it is final.
 */
export class AppendOnlyProjection implements Projection {
  private readonly response: ResponsesProjection;
  private readonly segments = new TurnSegments();
  private readonly deduplicator = new ReplayDeduplicator();
  /** The step that is run again goes on with the item of its first run. */
  private renamed: { from: string | null; to: string } | null = null;
  /** Kept until all is said. */
  private retained: TurnFrame[] | null;
  private isBroken = false;

  /** Null: the frame is passed on as it is. */
  private readonly handlers: EveryProductEvent<ProtocolEvent[]> = {
    sessionStarted: null,
    contentDelta: (data, frame) => {
      const fresh = this.deduplicator.acceptText(pieceOf(data, frame.seq));
      return fresh === null ? this.breakOff() : this.goOn(frame, fresh);
    },
    reasoningDelta: (data, frame) =>
      this.goOn(frame, this.deduplicator.thinks(pieceOf(data, frame.seq)) ? data.delta : ''),
    toolExecution: (_, frame) => this.closesText(frame),
    knowledgeEvidence: null,
    agentInputRequired: (_, frame) => this.closesText(frame),
    localToolCall: (_, frame) => this.closesText(frame),
    contextUsage: null,
    responseCompleted: (_, frame) => this.closesText(frame),
    turnPersistPending: null,
    stepRestarted: (data) => {
      this.restarted(data.from_seq);
      return [];
    },
    errorOccurred: null,
    streamEnded: null,
  };

  constructor(
    private readonly about: ResponseAbout,
    delivery: 'streamed' | 'retold',
  ) {
    this.response = new ResponsesProjection(about);
    this.retained = delivery === 'retold' ? [] : null;
  }

  get isOver(): boolean {
    return this.isBroken || this.response.isOver;
  }

  read(frame: TurnFrame): ProtocolEvent[] {
    const isMine = this.segments.number === this.about.segment;
    const isLast = this.segments.read(frame);
    // JSON may need repair, and half of it is useless.
    if (isFrame(frame, 'sessionStarted') && frame.data.structured === true) this.retained ??= [];
    if (!isMine) return this.response.read(frame);
    if (this.retained === null) return this.sendOnce(frame);
    this.retained = keepWhatCounts(this.retained, frame);
    if (!isLast) return [];
    return this.retained.flatMap((each) => this.sendMore(each));
  }

  readDelta(delta: ReadDelta): string | null {
    const isPlain = this.retained === null && !this.isBroken && this.deduplicator.isPlain && this.renamed === null;
    if (!isPlain || this.segments.number !== this.about.segment) return null;
    const text = this.response.readDelta(delta);
    if (text !== null) this.deduplicator.goesOn(delta);
    return text;
  }

  /** Clients take a stream that just ends for a whole answer. */
  cutOff(reason: { code: string; message: string }): ProtocolEvent[] {
    return [this.response.brokenOff(reason)];
  }

  private sendOnce(frame: TurnFrame): ProtocolEvent[] {
    return handleFrame(frame, this.handlers) ?? this.sendMore(frame);
  }

  /** All deltas that were sent must have been repeated before the text is closed. */
  private closesText(frame: TurnFrame): ProtocolEvent[] {
    return this.deduplicator.isOwing ? this.breakOff() : this.sendMore(frame);
  }

  private restarted(fromSeq: number): void {
    const last = [...this.deduplicator.words, ...this.deduplicator.thoughts].filter(({ seq }) => seq >= fromSeq).at(-1);
    this.deduplicator.restarted(fromSeq, true);
    if (!last) return;
    const to = last.messageId === this.renamed?.from ? this.renamed.to : last.messageId;
    this.renamed = { from: null, to };
  }

  private goOn(frame: Delta, delta: string): ProtocolEvent[] {
    const id = frame.data.message_id;
    const { renamed } = this;
    if (renamed) renamed.from ??= id;
    if (renamed?.from !== id) this.renamed = null;
    if (delta === '' && frame.data.delta !== '') return [];
    return this.sendMore({ ...frame, data: { ...frame.data, delta, message_id: this.renamed?.to ?? id } });
  }

  /** One of these clients passes over a response that has failed, unless an error stands beside it. */
  private sendMore(frame: TurnFrame): ProtocolEvent[] {
    const events = this.response.read(frame);
    const { failure } = this.response;
    if (failure === null) return events;
    return events.map((event) =>
      event.event === 'response.failed'
        ? { ...event, data: { ...(event.data as JsonObject), error: clientError(failure) } }
        : event,
    );
  }

  private breakOff(): ProtocolEvent[] {
    this.isBroken = true;
    return [this.response.brokenOff(OUTPUT_IS_VOID)];
  }
}

/** Output made void by a restart is skipped for clients that have not received it. */
function keepWhatCounts(retained: TurnFrame[], frame: TurnFrame): TurnFrame[] {
  if (!isFrame(frame, 'stepRestarted')) {
    retained.push(frame);
    return retained;
  }
  const { from_seq: fromSeq } = frame.data;
  return retained.filter((earlier) => earlier.seq < fromSeq || !isDelta(earlier));
}
