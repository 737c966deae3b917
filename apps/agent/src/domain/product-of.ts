interface Frame {
  method: string;
  params: { data: Record<string, unknown> };
}

/** What a frame says, if it is the product event of this name. The name alone may stand in what a tool has answered. */
export function productOf(frame: string, event: string): Record<string, unknown> | null {
  // Most frames are something else, and are not parsed for this.
  if (!frame.includes(`"event":"${event}"`)) return null;
  const { method, params } = JSON.parse(frame) as Frame;
  return method === 'custom:service' && params.data['event'] === event ? params.data : null;
}

/** Whether a stretch of its turn ends with this frame. */
export const endsStretch = (frame: string | undefined): boolean =>
  frame !== undefined && productOf(frame, 'stream-ended') !== null;
