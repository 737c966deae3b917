import { PRODUCT_EVENTS, type ProductEventKey } from './product-events';
import type { TurnFrameKind, TurnFrameKinds, TurnFrame } from './turn-frame';

const LIFECYCLE: TurnFrameKind = 'lifecycle';
const INPUT: TurnFrameKind = 'inputRequested';

const PRODUCT = new Map(Object.entries(PRODUCT_EVENTS).map(([key, name]) => [name, key as ProductEventKey]));
const MESSAGES = new Map<string, TurnFrameKind>([
  ['message-start', 'messageStart'],
  ['content-block-start', 'blockStart'],
  ['content-block-finish', 'blockFinish'],
  ['message-finish', 'messageFinish'],
]);
const TOOLS = new Map<string, TurnFrameKind>([
  ['tool-started', 'toolStarted'],
  ['tool-finished', 'toolFinished'],
  ['tool-error', 'toolFailed'],
]);

/** Undefined for an event of a later version. */
export function kindOfFrame({ method, data }: TurnFrame): TurnFrameKind | undefined {
  switch (method) {
    case 'custom:service':
      return PRODUCT.get(data.event);
    case 'messages':
      return MESSAGES.get(data.event);
    case 'tools':
      return TOOLS.get(data.event);
    case 'lifecycle':
      return LIFECYCLE;
    case 'input':
      return INPUT;
  }
}

export const isFrame = <Kind extends TurnFrameKind>(frame: TurnFrame, kind: Kind): frame is TurnFrameKinds[Kind] =>
  kindOfFrame(frame) === kind;

export type FrameHandler<Kind extends TurnFrameKind, Result = void> = (
  data: TurnFrameKinds[Kind]['data'],
  frame: TurnFrameKinds[Kind],
) => Result;

/** Handlers for some kinds of frames. */
export type FrameHandlers<Result = void> = { [Kind in TurnFrameKind]?: FrameHandler<Kind, Result> | null };

/** All events need an entry; null for an event without effect. A new product event is a compile error here. */
export type EveryProductEvent<Result = void> = FrameHandlers<Result> & {
  [Key in ProductEventKey]: FrameHandler<Key, Result> | null;
};

/** Undefined if there is no handler. */
export function handleFrame<Result>(frame: TurnFrame, handlers: FrameHandlers<Result>): Result | undefined {
  const kind = kindOfFrame(frame);
  const handler =
    kind && (handlers[kind] as ((data: TurnFrame['data'], frame: TurnFrame) => Result) | null | undefined);
  return handler?.(frame.data, frame);
}
