const BEFORE = '"delta":{"content":"';
const BACKSLASH = 92;

/**
 * Most events of a stream differ from the one before in nothing but their piece of text. The text around it is
 * remembered, so such an event is recognized by comparison, without a search or a parser, and has no other content than
 * the learned one.
 */
export class PlainEvents {
  /** Where the last event ends that was found. */
  end = 0;
  private before = '';
  private after = '';

  /**
   * The text of the event that begins here, as it stands in its JSON; null where the event is not as the learned one.
   */
  find(text: string, start: number): string | null {
    const { before, after } = this;
    const from = start + before.length;
    // Slices are compared as blocks of memory, where `startsWith` takes character by character: a sixth of the time.
    if (before === '' || text.slice(start, from) !== before) return null;
    const to = text.indexOf('"', from);
    if (to < 0 || text.slice(to, to + after.length) !== after) return null;
    const piece = text.slice(from, to);
    // An event that breaks off within its text ends there all the same.
    if (piece.includes('\n')) return null;
    this.end = to + after.length;
    return piece;
  }

  /** From now on events like this one are found. Only for an event in which nothing but its text matters. */
  learn(event: string, { from, to }: { from: number; to: number }): void {
    this.before = event.slice(0, from);
    this.after = event.slice(to);
  }
}

/** Where the text of an event stands that is one plain piece of it; null where it holds more, or an escaped quote. */
export function plainPiece(event: string): { from: number; to: number } | null {
  const at = event.indexOf(BEFORE);
  const from = at + BEFORE.length;
  const to = at < 0 ? -1 : event.indexOf('"', from);
  const isPlain =
    to > 0 &&
    event.charCodeAt(to - 1) !== BACKSLASH &&
    !event.includes('"tool_calls"') &&
    !event.includes('"reasoning');
  return isPlain ? { from, to } : null;
}
