import { invalid } from '@switchyard/kernel';
import { Described, Field } from './fields/field';
import { overBytes } from './fields/json-size';
import { f } from './fields/field-schema';
import { OVERSIZED_FACTOR } from './input-size-limits';

@Described(
  'A field that is over a limit that did not exist when it was stored. Up to four times the limit it is used, and other fields may be changed; beyond that it is not read, and shown empty.',
)
export class Oversized {
  @Field(f.text(), { description: 'The field.', example: 'steps' }) path!: string;
  @Field(f.int({ min: 0 }), { description: 'Of the field, as JSON.' }) bytes!: number;
  @Field(f.int({ min: 0 }), { description: 'The limit in bytes.' }) limit!: number;
}

/** As stored in a row: the largest first, null if none. */
export type OversizedFields = readonly Oversized[] | null;

/** As shown in the API. */
export const shownOversized = (fields: OversizedFields): { oversized?: Oversized } => {
  const [worst] = fields ?? [];
  return worst === undefined ? {} : { oversized: worst };
};

const unreadable = (fields: OversizedFields): Oversized[] =>
  (fields ?? []).filter(({ bytes, limit }) => bytes > OVERSIZED_FACTOR * limit);

const refusal = ({ path, limit }: Oversized): Error =>
  invalid(
    path,
    `${overBytes(limit)}; what is stored has more than ${OVERSIZED_FACTOR} times that and is not read. Change it first`,
  );

/** Throws if the record has a field that is too large to be read. */
export function requireReadable(fields: OversizedFields): void {
  const [worst] = unreadable(fields);
  if (worst) throw refusal(worst);
}

/** Throws if the change would keep a field that is too large to be read. */
export function requireReplaced(fields: OversizedFields, changes: object): void {
  const rest = unreadable(fields).find(({ path }) => (changes as Record<string, unknown>)[path] === undefined);
  if (rest) throw refusal(rest);
}
