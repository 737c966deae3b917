import { handleFrame, isFrame, type TurnFrame } from '@switchyard/contracts';
import type { Projection, ProtocolEvent } from '../../turn-events/projection';
import { Reached, TurnSegments } from '../../turn-events/turn-segments';

/** A call of the host's own, with what it gave; undefined where it gave nothing. Or a question that was asked. */
export type GivenAnswer = { callId: string; result: unknown } | { interactionId: string };

/**
 * Reads of a turn which calls of its client one stretch goes on after, and what came of them. All calls are known when the
 * stretch is reached; of some it may not be known yet what they give.
 */
export class GivenAnswers implements Projection {
  readonly given: GivenAnswer[] = [];
  readonly reached: Reached;
  private readonly segments = new TurnSegments();
  private readonly unsettled = new Set<string>();
  private ended = false;

  /** `afterQuestion` as of `Reached`. */
  constructor(
    private readonly segment: number,
    afterQuestion: boolean,
    private readonly onReached: () => void = () => undefined,
  ) {
    this.reached = new Reached(segment, afterQuestion);
  }

  get isOver(): boolean {
    return this.ended || (this.reached.isOver && this.unsettled.size === 0);
  }

  read(frame: TurnFrame): ProtocolEvent[] {
    const { number } = this.segments;
    if (number === this.segment - 1) this.onQuestion(frame);
    if (number >= this.segment - 1) this.settled(frame);
    this.reach(frame);
    if (this.segments.read(frame) && number >= this.segment) this.ended = true;
    return [];
  }

  private reach(frame: TurnFrame): void {
    if (this.reached.isOver) return;
    this.reached.read(frame);
    // oxlint-disable-next-line typescript/no-unnecessary-condition -- it has read a frame since
    if (this.reached.isOver) this.onReached();
  }

  private onQuestion(frame: TurnFrame): void {
    handleFrame(frame, {
      localToolCall: ({ call_id: callId }) => {
        if (this.call(callId)) return;
        this.given.push({ callId, result: undefined });
        this.unsettled.add(callId);
      },
      agentInputRequired: ({ interaction }) => {
        this.given.push({ interactionId: interaction.id });
      },
    });
  }

  private settled(frame: TurnFrame): void {
    if (!isFrame(frame, 'toolExecution') || frame.data.status === 'started') return;
    const { tool_call_id: callId, status, result } = frame.data;
    const call = this.call(callId);
    this.unsettled.delete(callId);
    if (call && status === 'succeeded') call.result = result ?? null;
  }

  private call(callId: string): { result: unknown } | undefined {
    return this.given.find((answer): answer is { callId: string; result: unknown } =>
      'callId' in answer ? answer.callId === callId : false,
    );
  }
}
