import { invalid } from '@switchyard/kernel';
import { Field } from './fields/field';
import { overBytes } from './fields/size';
import { f } from './fields/spec';
import { OVERSIZED_FACTOR } from './sizes';

/**
 * Of a record that was stored before its field had a limit, and is over it. Up to four times the limit it is used as it
 * is, and may be changed in its other fields; beyond that the field is not read any more, and shown empty.
 */
export class Oversized {
  @Field(f.text(), { description: 'The field.', example: 'steps' }) path!: string;
  @Field(f.int({ min: 0 }), { description: 'Of the field, as JSON.' }) bytes!: number;
  @Field(f.int({ min: 0 })) limit!: number;
}

/** As a row has them: the worst first, null where nothing is too large. */
export type OversizedFields = readonly Oversized[] | null;

/** As a record shows it. */
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

/** Refuses to use a record that has a field which is not read any more. */
export function requireReadable(fields: OversizedFields): void {
  const [worst] = unreadable(fields);
  if (worst) throw refusal(worst);
}

/** Refuses a change that would leave a field which is not read any more. */
export function requireReplaced(fields: OversizedFields, changes: object): void {
  const left = unreadable(fields).find(({ path }) => (changes as Record<string, unknown>)[path] === undefined);
  if (left) throw refusal(left);
}
