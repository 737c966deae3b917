import { MessagePattern } from '@nestjs/microservices';
import { PARAM_ARGS_METADATA } from '@nestjs/microservices/constants';
import type {
  AnyContract,
  CallContract,
  Ctx,
  EventContract,
  SignalContract,
  StreamContract,
} from '@switchyard/contracts';
import { natsSubject } from '@switchyard/contracts';
import type { FrameBatch } from '../streams/frame-batch';

export interface HandlerExtras {
  contract: AnyContract;
}

type Frames<F> = AsyncIterable<F | FrameBatch<F>>;

type Handler<Data, Result> = (data: Data, ctx: Ctx, ...rest: never[]) => Result;

type Decorated<Data, Result> = <M extends Handler<Data, Result>>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

export function Handles<Req extends object, Rep extends object>(
  contract: CallContract<Req, Rep>,
): Decorated<Req, Promise<Rep> | Rep>;
export function Handles<Req extends object, F>(
  contract: StreamContract<Req, F>,
): Decorated<Req, Frames<F> | Promise<Frames<F>>>;
export function Handles<Data extends object>(
  contract: EventContract<Data> | SignalContract<Data>,
): Decorated<Data, Promise<void> | void>;
/** Makes a controller's method the handler of a contract; the compiler holds it to the contract's shapes. */
export function Handles(
  contract: AnyContract,
): (target: object, key: string | symbol, descriptor: PropertyDescriptor) => void {
  const extras: HandlerExtras = { contract };
  const bind = MessagePattern(natsSubject(contract), extras);
  return (target, key, descriptor) => {
    // No parameter is described to Nest: it then hands over data, context and transaction as they are,
    // instead of resolving each of them through pipes on every message.
    Reflect.defineMetadata(PARAM_ARGS_METADATA, {}, target.constructor, key);
    bind(target, key, descriptor);
  };
}
