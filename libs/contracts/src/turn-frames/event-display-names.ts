import type { ProductEventName } from './product-events';

type Dots<Name extends string> = Name extends `${infer Head}-${infer Tail}` ? `${Head}.${Dots<Tail>}` : Name;

/** Event names in documents and in the client library. One has an underscore. */
export type DottedName<Name extends ProductEventName> = Name extends 'turn-persist-pending'
  ? 'turn.persist_pending'
  : Dots<Name>;

export const dottedName = <Name extends ProductEventName>(name: Name): DottedName<Name> =>
  (name === 'turn-persist-pending' ? 'turn.persist_pending' : name.replaceAll('-', '.')) as DottedName<Name>;
