import { type Filter, invalid, type JsonObject, parseFilter } from '@switchyard/kernel';
import { type Role, roleAtLeast } from '../access';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';

export const RULE_APPROVERS = ['USER', 'ADMIN', 'OTHER'] as const;
/** USER: the turn's user. ADMIN: any ADMIN or higher. OTHER: any MEMBER or higher except the turn's user. */
export type RuleApprover = (typeof RULE_APPROVERS)[number];

export const APPROVERS = [...RULE_APPROVERS, 'OTHER_ADMIN'] as const;
/** Combination of several rules. OTHER_ADMIN: an ADMIN other than the turn's user. */
export type Approver = (typeof APPROVERS)[number];

const wantsOther = (by: Approver): boolean => by === 'OTHER' || by === 'OTHER_ADMIN';
const wantsAdmin = (by: Approver): boolean => by === 'ADMIN' || by === 'OTHER_ADMIN';

/** The approver who satisfies both rules. */
export function bothApprovers(one: Approver | null, two: Approver): Approver {
  const other = wantsOther(two) || (one !== null && wantsOther(one));
  const admin = wantsAdmin(two) || (one !== null && wantsAdmin(one));
  if (other) return admin ? 'OTHER_ADMIN' : 'OTHER';
  return admin ? 'ADMIN' : 'USER';
}

/** Whether this person may approve. */
export function isApprover(by: Approver, who: { isUserOfTurn: boolean; role: Role | null }): boolean {
  if (by === 'USER') return who.isUserOfTurn;
  if (wantsOther(by) && who.isUserOfTurn) return false;
  return roleAtLeast(who.role, wantsAdmin(by) ? 'ADMIN' : 'MEMBER');
}

@Described('Selects the tool calls that need an approval before they run.')
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
  @Field(f.oneOf(RULE_APPROVERS), {
    optional: true,
    description:
      'Approver; default `USER`, the user of the turn. `OTHER`: a MEMBER or higher who is not the user of the turn. If `OTHER` and `ADMIN` both apply: an ADMIN who is not the user of the turn.',
  })
  by?: RuleApprover;
}

export const APPROVAL_RULES_MAX = 50;

/** Rejects rules with an invalid filter. */
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
