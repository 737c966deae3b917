import { PageRequest } from '../define/common-shapes';
import { emailText } from '../fields/email-text';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { CREDIT_LIMIT } from '../relay/usage-view';
import { SpaceTotals, StoredTotals } from '../relay/space-totals';
import { Ceilings, ChangeCeilings, Payer, SPACE_STATUSES, type SpaceStatus } from './ceilings';
import { InvitationView } from './members';

const NAME = f.text({ min: 1, max: 200, pattern: '\\S', allows: 'must not be blank' });
const PAYER = 'The id of the Space that pays, or null: the Space itself.';

@Described('Owner of a Space.')
export class SpaceOwner {
  @Field(f.id()) userId!: string;
  @Field(f.text(), { description: 'E-mail address of the owner.' }) email!: string;
  @Field(f.text()) name!: string;
}

@Described('Usage of a Space.')
export class SpaceUsage {
  @Field(f.int(), { description: 'Tokens used.' }) tokens!: number;
  @Field(f.number(), { description: 'Cost of the model calls.' }) cost!: number;
  @Field(f.int({ min: 0 }), { description: 'Number of model calls.' }) calls!: number;
}

@Described('A Space for operators: its limits and usage, not its contents.')
export class OperatorSpaceView {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
  @Field(f.oneOf(SPACE_STATUSES), { description: 'Whether the Space is suspended.' }) status!: SpaceStatus;
  @Field(f.text(), { nullable: true, description: 'Why it is suspended; null while it is not.' })
  suspendedReason!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.list(f.object(() => SpaceOwner)), { description: 'The twenty who have been OWNER longest.' })
  owners!: SpaceOwner[];
  @Field(f.int({ min: 0 }), { description: 'Number of members.' }) members!: number;
  @Field(f.int(), { description: 'Tokens.' }) balance!: number;
  @Field(f.bool(), { description: 'Its balance stops nothing; tokens are counted all the same.' }) unmetered!: boolean;
  @Field(f.object(() => SpaceUsage), { description: 'Since the first of the month (UTC).' })
  usageThisMonth!: SpaceUsage;
  @Field(f.int({ min: 0 }), { description: 'Stored bytes.' }) bytesStored!: number;
  @Field(f.object(() => Ceilings), { description: 'Upper limits of the Space.' }) ceilings!: Ceilings;
  @Field(f.object(() => Payer), { description: 'The Space or user whose share of the platform it uses.' })
  payer!: Payer;
  @Field(f.object(() => InvitationView), {
    optional: true,
    description: 'Of the OWNER: in the answer that makes the Space, and never again.',
  })
  invitation?: InvitationView;
}

export const OPERATOR_SPACE_SORTS = ['createdAt', 'tokens', 'bytes'] as const;

export class ListOperatorSpaces extends PageRequest {
  @Field(f.text({ min: 1, max: 200 }), { optional: true, description: 'A part of the name, in any case.' }) q?: string;
  @Field(f.oneOf(SPACE_STATUSES), { optional: true, description: 'Only Spaces with this status.' })
  status?: SpaceStatus;
  @Field(f.oneOf(OPERATOR_SPACE_SORTS), {
    optional: true,
    description: 'Newest first (the default), or the most tokens of this month or bytes first.',
  })
  sort?: (typeof OPERATOR_SPACE_SORTS)[number];
}

@Described('Owner of a new Space: an existing user, or an e-mail address to invite.')
export class NewOwner {
  @Field(emailText(), { optional: true, example: 'ada@example.com', description: 'E-mail address of the owner.' })
  email?: string;
  @Field(f.text({ min: 12, max: 1024 }), {
    secret: true,
    optional: true,
    description: 'Makes an account of the Space with this password. Without it the person is invited.',
  })
  password?: string;
  @Field(f.id(), { optional: true, description: 'An account that is there, in place of an e-mail address.' })
  userId?: string;
}

@Described('A new Space for an owner.')
export class CreateOperatorSpace {
  @Field(NAME, { example: 'Research', description: 'Name of the Space.' }) name!: string;
  @Field(f.object(() => NewOwner), { description: 'Owner of the Space.' }) owner!: NewOwner;
  @Field(f.int({ min: 0, max: CREDIT_LIMIT }), {
    optional: true,
    description: 'Tokens to start with; INITIAL_SPACE_TOKENS of the configuration unless said.',
  })
  tokens?: number;
  @Field(f.object(() => ChangeCeilings), { optional: true, description: 'Upper limits of the Space.' })
  ceilings?: ChangeCeilings;
  @Field(f.id(), { optional: true, nullable: true, description: PAYER }) payer?: string | null;
}

@Described('Changes of a Space by an operator. Given fields are replaced, the others stay.')
export class ChangeOperatorSpaceBody {
  @Field(NAME, { optional: true, description: 'New name.' }) name?: string;
  @Field(f.object(() => ChangeCeilings), {
    optional: true,
    description: 'Given ones are set, null takes one back to the default, the others stay.',
  })
  ceilings?: ChangeCeilings;
  @Field(f.id(), { optional: true, nullable: true, description: PAYER }) payer?: string | null;
  @Field(f.bool(), { optional: true, description: 'Whether model calls are free for the balance.' })
  unmetered?: boolean;
}

export class ChangeOperatorSpace extends ChangeOperatorSpaceBody {
  @Field(f.id()) spaceId!: string;
}

@Described('Suspends a Space.')
export class SuspendSpaceBody {
  @Field(f.text({ min: 1, max: 500, pattern: '\\S', allows: 'must not be blank' }), {
    description: 'Shown to the people of the Space.',
  })
  reason!: string;
}

export class SuspendSpace extends SuspendSpaceBody {
  @Field(f.id()) spaceId!: string;
}

export class CreditSpace {
  @Field(f.id()) spaceId!: string;
  @Field(f.int({ min: -CREDIT_LIMIT, max: CREDIT_LIMIT }), {
    description: 'Negative: a correction, which may bring the balance below 0.',
  })
  tokens!: number;
  @Field(f.text({ max: 500 }), { optional: true }) note?: string;
}

/** Totals of the relay and the dataset service, for the operators' lists. */
export class ReportTotals {
  @Field(
    f.list(
      f.object(() => SpaceTotals),
      { max: 500 },
    ),
    { optional: true },
  )
  used?: SpaceTotals[];
  @Field(
    f.list(
      f.object(() => StoredTotals),
      { max: 500 },
    ),
    { optional: true },
  )
  stored?: StoredTotals[];
}

export class SpaceIds {
  @Field(f.list(f.id(), { max: 100 })) ids!: string[];
}
