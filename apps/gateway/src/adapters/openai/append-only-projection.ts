import {
  type EveryProductEvent,
  handleFrame,
  isFrame,
  type ReadDelta,
  type TurnFrame,
  type TurnFrameKinds,
} from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';
import type { Projection, ProtocolEvent } from '../../turn-events/protocol-projection';
import { TurnSegments } from '../../turn-events/turn-segments';
import { clientError, type ResponseContext, ResponsesProjection } from './responses-projection';
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
  /** A repeated step continues the item of its first attempt. */
  private continuedMessage: { from: string | null; to: string } | null = null;
  /** Frames of a segment that is sent only when it is complete. */
  private buffered: TurnFrame[] | null;
  private hasFailed = false;

  /** Null: the frame is passed on as it is. */
  private readonly handlers: EveryProductEvent<ProtocolEvent[]> = {
    sessionStarted: null,
    contentDelta: (data, frame) => {
      const fresh = this.deduplicator.acceptText(pieceOf(data, frame.seq));
      return fresh === null ? this.failAsVoid() : this.sendDelta(frame, fresh);
    },
    reasoningDelta: (data, frame) =>
      this.sendDelta(frame, this.deduplicator.acceptReasoning(pieceOf(data, frame.seq)) ? data.delta : ''),
    toolExecution: (_, frame) => this.closeText(frame),
    knowledgeEvidence: null,
    agentInputRequired: (_, frame) => this.closeText(frame),
    localToolCall: (_, frame) => this.closeText(frame),
    contextUsage: null,
    responseCompleted: (_, frame) => this.closeText(frame),
    turnPersistPending: null,
    stepRestarted: (data) => {
      this.onStepRestarted(data.from_seq);
      return [];
    },
    errorOccurred: null,
    streamEnded: null,
  };

  constructor(
    private readonly context: ResponseContext,
    delivery: 'streamed' | 'buffered',
  ) {
    this.response = new ResponsesProjection(context);
    this.buffered = delivery === 'buffered' ? [] : null;
  }

  get isOver(): boolean {
    return this.hasFailed || this.response.isOver;
  }

  read(frame: TurnFrame): ProtocolEvent[] {
    const isMine = this.segments.number === this.context.segment;
    const isLast = this.segments.read(frame);
    // JSON may need repair, and half of it is useless.
    if (isFrame(frame, 'sessionStarted') && frame.data.structured === true) this.buffered ??= [];
    if (!isMine) return this.response.read(frame);
    if (this.buffered === null) return this.sendOnce(frame);
    this.buffered = withoutVoid(this.buffered, frame);
    if (!isLast) return [];
    return this.buffered.flatMap((each) => this.project(each));
  }

  readDelta(delta: ReadDelta): string | null {
    const isPlain =
      this.buffered === null && !this.hasFailed && this.deduplicator.isPassThrough && this.continuedMessage === null;
    if (!isPlain || this.segments.number !== this.context.segment) return null;
    const text = this.response.readDelta(delta);
    if (text !== null) this.deduplicator.acceptDelta(delta);
    return text;
  }

  /** Clients take a stream without an error as a complete answer. */
  cutOff(reason: { code: string; message: string }): ProtocolEvent[] {
    return [this.response.streamError(reason)];
  }

  private sendOnce(frame: TurnFrame): ProtocolEvent[] {
    return handleFrame(frame, this.handlers) ?? this.project(frame);
  }

  /** All deltas that were sent must have been repeated before the text is closed. */
  private closeText(frame: TurnFrame): ProtocolEvent[] {
    return this.deduplicator.hasMoreToRepeat ? this.failAsVoid() : this.project(frame);
  }

  private onStepRestarted(fromSeq: number): void {
    const last = [...this.deduplicator.texts, ...this.deduplicator.thoughts].filter(({ seq }) => seq >= fromSeq).at(-1);
    this.deduplicator.onStepRestarted(fromSeq, true);
    if (!last) return;
    const to = last.messageId === this.continuedMessage?.from ? this.continuedMessage.to : last.messageId;
    this.continuedMessage = { from: null, to };
  }

  private sendDelta(frame: Delta, delta: string): ProtocolEvent[] {
    const id = frame.data.message_id;
    const { continuedMessage } = this;
    if (continuedMessage) continuedMessage.from ??= id;
    if (continuedMessage?.from !== id) this.continuedMessage = null;
    if (delta === '' && frame.data.delta !== '') return [];
    return this.project({ ...frame, data: { ...frame.data, delta, message_id: this.continuedMessage?.to ?? id } });
  }

  /** One of these clients ignores a failed response unless the event has an `error` field. */
  private project(frame: TurnFrame): ProtocolEvent[] {
    const events = this.response.read(frame);
    const { failure } = this.response;
    if (failure === null) return events;
    return events.map((event) =>
      event.event === 'response.failed'
        ? { ...event, data: { ...(event.data as JsonObject), error: clientError(failure) } }
        : event,
    );
  }

  private failAsVoid(): ProtocolEvent[] {
    this.hasFailed = true;
    return [this.response.streamError(OUTPUT_IS_VOID)];
  }
}

/** Output made void by a restart is skipped for clients that have not received it. */
function withoutVoid(buffered: TurnFrame[], frame: TurnFrame): TurnFrame[] {
  if (!isFrame(frame, 'stepRestarted')) {
    buffered.push(frame);
    return buffered;
  }
  const { from_seq: fromSeq } = frame.data;
  return buffered.filter((earlier) => earlier.seq < fromSeq || !isDelta(earlier));
}
