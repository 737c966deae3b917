import type { FrameData, Projection, ProtocolEvent, TurnFrame } from '../projection';
import { Reached, Stretches } from '../stretches';

/** A call of the host's own, with what it gave; undefined where it gave nothing. Or a question that was asked. */
export type GivenAnswer = { callId: string; result: unknown } | { interactionId: string };

/**
 * Reads of a turn which calls of its client one stretch goes on after, and what came of them. All calls are known when the
 * stretch is reached; of some it may not be known yet what they give.
 */
export class GivenAnswers implements Projection {
  readonly given: GivenAnswer[] = [];
  readonly reached: Reached;
  private readonly stretches = new Stretches();
  private readonly unsettled = new Set<string>();
  private ended = false;

  /** `afterQuestion` as of `Reached`. */
  constructor(
    private readonly stretch: number,
    afterQuestion: boolean,
    private readonly onReached: () => void = () => undefined,
  ) {
    this.reached = new Reached(stretch, afterQuestion);
  }

  get isOver(): boolean {
    return this.ended || (this.reached.isOver && this.unsettled.size === 0);
  }

  read(frame: TurnFrame): ProtocolEvent[] {
    const { number } = this.stretches;
    if (number === this.stretch - 1) this.asked(frame);
    if (number >= this.stretch - 1) this.settled(frame);
    this.reach(frame);
    if (this.stretches.read(frame) && number >= this.stretch) this.ended = true;
    return [];
  }

  private reach(frame: TurnFrame): void {
    if (this.reached.isOver) return;
    this.reached.read(frame);
    // oxlint-disable-next-line typescript/no-unnecessary-condition -- it has read a frame since
    if (this.reached.isOver) this.onReached();
  }

  private asked({ data }: TurnFrame): void {
    if (data.event === 'local-tool-call') {
      const callId = String(data['call_id']);
      if (this.call(callId)) return;
      this.given.push({ callId, result: undefined });
      this.unsettled.add(callId);
    } else if (data.event === 'agent-input-required')
      this.given.push({ interactionId: String((data['interaction'] as FrameData)['id']) });
  }

  private settled({ data }: TurnFrame): void {
    if (data.event !== 'tool-execution' || data['status'] === 'started') return;
    const callId = String(data['tool_call_id']);
    const call = this.call(callId);
    this.unsettled.delete(callId);
    if (call && data['status'] === 'succeeded') call.result = data['result'] ?? null;
  }

  private call(callId: string): { result: unknown } | undefined {
    return this.given.find((answer): answer is { callId: string; result: unknown } =>
      'callId' in answer ? answer.callId === callId : false,
    );
  }
}
