import { ExecutionContext, createParamDecorator } from '@nestjs/common';
import { Ctx as ContextArgument, MessagePattern, Payload } from '@nestjs/microservices';
import type {
  AnyContract,
  CallContract,
  Ctx,
  EventContract,
  SignalContract,
  StreamContract,
} from '@switchyard/contracts';
import { natsSubject } from '@switchyard/contracts';

export interface HandlerExtras {
  contract: AnyContract;
}

/** The transaction in which an event's effect commits; nothing for calls. */
const TransactionArgument = createParamDecorator((_: unknown, context: ExecutionContext): unknown =>
  context.getArgByIndex(2),
);

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
): Decorated<Req, AsyncIterable<F> | Promise<AsyncIterable<F>>>;
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
    // Nest hands over only the payload unless each argument says what it is.
    Payload()(target, key, 0);
    ContextArgument()(target, key, 1);
    TransactionArgument()(target, key, 2);
    bind(target, key, descriptor);
  };
}
