import type { UIMessageChunk } from 'ai';

export type TextKind = 'text' | 'reasoning';

/** Text of one kind that was shown of one model message. */
interface Shown {
  messageId: string;
  firstSeq: number;
  text: string;
  part: string;
}

/**
 * A model's text or reasoning as parts of a UI message. The AI SDK can append to a part, but not take text back. So
 * when a step is repeated (after a crash, or to repair its answer), its text is compared with the shown text: while it
 * is the same nothing is appended, and longer text is appended. If it differs, the part is marked as void and a new
 * part begins.
 */
export class SentText {
  private shown: Shown | null = null;
  /** The part that the SDK can still add to. */
  private openPart: string | null = null;
  /** Shown text of the step that is repeated, and the text of the repetition so far. */
  private again: { old: Shown; text: string } | null = null;
  private parts = 0;

  constructor(private readonly text: TextKind) {}

  add(seq: number, messageId: string, delta: string): UIMessageChunk[] {
    if (this.again === null) return this.show(seq, messageId, delta);
    const { old } = this.again;
    this.again.text += delta;
    const { text } = this.again;
    if (old.text.startsWith(text)) return [];
    this.again = null;
    if (!text.startsWith(old.text)) return [...this.voided(old), ...this.show(seq, messageId, text)];
    this.shown = { ...old, messageId, firstSeq: seq };
    return this.show(seq, messageId, text.slice(old.text.length));
  }

  /** Everything that was said since `fromSeq` is void. */
  restart(fromSeq: number): void {
    // Before it was done a second time, it was begun a third time.
    if (this.again !== null) this.again.text = '';
    else if (this.shown !== null && this.shown.firstSeq >= fromSeq) this.again = { old: this.shown, text: '' };
  }

  /** The message has said all that it says. */
  finish(seq: number, messageId: string): UIMessageChunk[] {
    const chunks: UIMessageChunk[] = [];
    if (this.again !== null) {
      const { old, text } = this.again;
      this.again = null;
      if (text === old.text) this.shown = { ...old, messageId, firstSeq: seq };
      else chunks.push(...this.voided(old), ...(text === '' ? [] : this.show(seq, messageId, text)));
    }
    return [...chunks, ...this.close()];
  }

  close(): UIMessageChunk[] {
    if (this.openPart === null) return [];
    const id = this.openPart;
    this.openPart = null;
    return [{ type: `${this.text}-end`, id }];
  }

  private show(seq: number, messageId: string, delta: string): UIMessageChunk[] {
    const chunks: UIMessageChunk[] = [];
    const goesOn = this.shown?.messageId === messageId ? this.shown : null;
    const shown = goesOn ?? { messageId, firstSeq: seq, text: '', part: `${this.text}-${this.parts + 1}` };
    if (this.openPart === null || goesOn === null) {
      chunks.push(...this.close());
      this.parts += 1;
      this.openPart = `${this.text}-${this.parts}`;
      // A part that goes on where one was closed has the name of the first: they are void together.
      const providerMetadata = { switchyard: { part: shown.part } };
      chunks.push({ type: `${this.text}-start`, id: this.openPart, providerMetadata });
    }
    this.shown = { ...shown, text: shown.text + delta };
    return [...chunks, { type: `${this.text}-delta`, id: this.openPart, delta }];
  }

  private voided(old: Shown): UIMessageChunk[] {
    this.shown = null;
    return [...this.close(), { type: 'message-metadata', messageMetadata: { void: { [old.part]: true } } }];
  }
}
