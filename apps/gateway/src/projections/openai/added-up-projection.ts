import type { ReadDelta } from '@switchyard/contracts';
import type { JsonObject } from '@switchyard/kernel';
import type { Projection, ProtocolEvent, TurnFrame } from '../projection';
import { Stretches } from '../stretches';
import { clientError, type ResponseAbout, ResponsesProjection } from './responses-projection';
import { pieceOf, SAID_IS_VOID, SaidOnce } from './said-once';

/** What closes the words before it: by then, all that was told must have been said. */
const AFTER_WORDS = new Set(['tool-execution', 'local-tool-call', 'agent-input-required', 'response-completed']);
const isSaid = ({ data }: TurnFrame): boolean => data.event === 'content-delta' || data.event === 'reasoning-delta';

/**
 * A response for clients that add up the words of a stream, whatever its items say of them, and that cannot attach: what
 * is void would stand beside what was said in its place. They are told each word once. Where the step that is run again
 * says other words, the stream ends with an error, as one that was cut; who asks again is told nothing before all is said.
 */
export class AddedUpProjection implements Projection {
  private readonly response: ResponsesProjection;
  private readonly stretches = new Stretches();
  private readonly told = new SaidOnce();
  /** The step that is run again goes on with the item of its first run. */
  private renamed: { from: string | null; to: string } | null = null;
  /** Kept until all is said. */
  private kept: TurnFrame[] | null;
  private isBroken = false;

  constructor(
    private readonly about: ResponseAbout,
    telling: 'streamed' | 'retold',
  ) {
    this.response = new ResponsesProjection(about);
    this.kept = telling === 'retold' ? [] : null;
  }

  get isOver(): boolean {
    return this.isBroken || this.response.isOver;
  }

  read(frame: TurnFrame): ProtocolEvent[] {
    const isMine = this.stretches.number === this.about.stretch;
    const isLast = this.stretches.read(frame);
    // JSON may have to be repaired, and half of it is of use to nobody.
    if (frame.data.event === 'session-started' && frame.data['structured'] === true) this.kept ??= [];
    if (!isMine) return this.response.read(frame);
    if (this.kept === null) return this.tellOnce(frame);
    this.kept = keepWhatCounts(this.kept, frame);
    if (!isLast) return [];
    return this.kept.flatMap((each) => this.tellOn(each));
  }

  readDelta(delta: ReadDelta): string | null {
    const isPlain = this.kept === null && !this.isBroken && this.told.isPlain && this.renamed === null;
    if (!isPlain || this.stretches.number !== this.about.stretch) return null;
    const text = this.response.readDelta(delta);
    if (text !== null) this.told.goesOn(delta);
    return text;
  }

  /** Clients take a stream that just ends for a whole answer. */
  cutOff(reason: { code: string; message: string }): ProtocolEvent[] {
    return [this.response.brokenOff(reason)];
  }

  private tellOnce(frame: TurnFrame): ProtocolEvent[] {
    const { data, seq } = frame;
    switch (data.event) {
      case 'step-restarted':
        this.restarted(Number(data['from_seq']));
        return [];
      case 'content-delta': {
        const fresh = this.told.speaks(pieceOf(data, seq));
        return fresh === null ? this.breakOff() : this.goOn(frame, fresh);
      }
      case 'reasoning-delta':
        return this.told.thinks(pieceOf(data, seq)) ? this.goOn(frame, String(data['delta'])) : this.goOn(frame, '');
      default:
        return this.told.isOwing && AFTER_WORDS.has(String(data.event)) ? this.breakOff() : this.tellOn(frame);
    }
  }

  private restarted(fromSeq: number): void {
    const last = [...this.told.words, ...this.told.thoughts].filter(({ seq }) => seq >= fromSeq).at(-1);
    this.told.restarted(fromSeq, true);
    if (!last) return;
    const to = last.messageId === this.renamed?.from ? this.renamed.to : last.messageId;
    this.renamed = { from: null, to };
  }

  private goOn(frame: TurnFrame, delta: string): ProtocolEvent[] {
    const id = String(frame.data['message_id']);
    const { renamed } = this;
    if (renamed) renamed.from ??= id;
    if (renamed?.from !== id) this.renamed = null;
    if (delta === '' && frame.data['delta'] !== '') return [];
    return this.tellOn({ ...frame, data: { ...frame.data, delta, message_id: this.renamed?.to ?? id } });
  }

  /** One of these clients passes over a response that has failed, unless an error stands beside it. */
  private tellOn(frame: TurnFrame): ProtocolEvent[] {
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
    return [this.response.brokenOff(SAID_IS_VOID)];
  }
}

/** What a restart has made void was never said, for those who have not heard it. */
function keepWhatCounts(kept: TurnFrame[], frame: TurnFrame): TurnFrame[] {
  if (frame.data.event !== 'step-restarted') {
    kept.push(frame);
    return kept;
  }
  const fromSeq = Number(frame.data['from_seq']);
  return kept.filter((earlier) => earlier.seq < fromSeq || !isSaid(earlier));
}
