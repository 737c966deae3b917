import { handleFrame, isFrame, type TurnFrame } from '@switchyard/contracts';
import type { Projection, ProtocolEvent } from '../../turn-events/protocol-projection';
import { Reached, TurnSegments } from '../../turn-events/turn-segments';

/** A call of a client's tool with its result (undefined if it failed), or a question. */
export type ToolAnswer = { callId: string; result: unknown } | { interactionId: string };

/**
 * Collects the calls of the client's tools that were answered before a segment began, with their results. All calls are
 * found when the segment is reached; some results may follow later.
 */
export class ToolAnswers implements Projection {
  readonly given: ToolAnswer[] = [];
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
    if (number >= this.segment - 1) this.onToolExecution(frame);
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
        if (this.givenCall(callId)) return;
        this.given.push({ callId, result: undefined });
        this.unsettled.add(callId);
      },
      agentInputRequired: ({ interaction }) => {
        this.given.push({ interactionId: interaction.id });
      },
    });
  }

  private onToolExecution(frame: TurnFrame): void {
    if (!isFrame(frame, 'toolExecution') || frame.data.status === 'started') return;
    const { tool_call_id: callId, status, result } = frame.data;
    const givenCall = this.givenCall(callId);
    this.unsettled.delete(callId);
    if (givenCall && status === 'succeeded') givenCall.result = result ?? null;
  }

  private givenCall(callId: string): { result: unknown } | undefined {
    return this.given.find((answer): answer is { callId: string; result: unknown } =>
      'callId' in answer ? answer.callId === callId : false,
    );
  }
}
