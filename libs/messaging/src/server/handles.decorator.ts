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
/** Binds a controller method to a contract, with its types checked. */
export function Handles(
  contract: AnyContract,
): (target: object, key: string | symbol, descriptor: PropertyDescriptor) => void {
  const extras: HandlerExtras = { contract };
  const bind = MessagePattern(natsSubject(contract), extras);
  return (target, key, descriptor) => {
    // Without parameter metadata, Nest passes data, context and transaction as they are, instead of through pipes.
    Reflect.defineMetadata(PARAM_ARGS_METADATA, {}, target.constructor, key);
    bind(target, key, descriptor);
  };
}
