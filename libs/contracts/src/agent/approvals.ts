import { type Filter, invalid, type JsonObject, parseFilter } from '@switchyard/kernel';
import { Field } from '../fields/field';
import { f } from '../fields/spec';
import { SIZES } from '../sizes';

export const APPROVERS = ['USER', 'ADMIN'] as const;
/** USER: the turn's user. ADMIN: anybody of the Space with the role ADMIN or higher. */
export type Approver = (typeof APPROVERS)[number];

/** A rule about which calls of tools need an approval before they run. */
export class ApprovalRule {
  @Field(
    f.text({
      min: 1,
      max: 128,
      pattern: '^[A-Za-z0-9_*-]+$',
      allows: 'must consist of letters, digits, _ and -, and * for any of them',
    }),
    {
      description: 'The name that the model sees, or a pattern with *.',
      example: 'write_dataset',
    },
  )
  tool!: string;
  @Field(f.record(SIZES.filter), {
    optional: true,
    description:
      'A filter over the arguments; dotted paths reach into objects. Without it every call needs an approval. Arguments that it cannot be evaluated on need one as well.',
  })
  when?: JsonObject;
  @Field(f.oneOf(APPROVERS), { optional: true, description: 'Who may approve: USER unless given.' }) by?: Approver;
}

export const APPROVAL_RULES_MAX = 50;

/** Refuses a rule whose filter could not be read. */
export function checkApprovals(rules: readonly ApprovalRule[], path: string): void {
  rules.forEach((rule, at) => {
    const { when } = rule;
    if (when === undefined) return;
    if (Object.keys(when).length === 0) throw invalid(`${path}[${at}].when`, 'must hold a condition, or be left out');
    parseFilter(when, undefined, `${path}[${at}].when`);
  });
}

export const filterOfRule = (rule: ApprovalRule): Filter | null =>
  rule.when === undefined ? null : parseFilter(rule.when, undefined, 'when');
