import { ROLES, type Role } from '../access';
import { APPROVAL_RULES_MAX, ApprovalRule } from '../agent/approvals';
import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { Ceilings, Payer, SPACE_STATUSES, SpaceUsed, type SpaceStatus } from './ceilings';
import { SIZES } from '../input-size-limits';

const CAP = f.int({ min: 0 });
const WORKERS = f.int({ min: 1, max: 1000 });
const CAPTURES = f.bool();
const APPROVALS = f.list(
  f.object(() => ApprovalRule),
  { max: APPROVAL_RULES_MAX, bytes: SIZES.agentList },
);

@Described("A Space's own settings; missing ones use the platform's default.")
export class SpaceSettings {
  @Field(CAP, { optional: true, description: 'Tokens a day; none unless set.' }) dailyTokenCap?: number;
  @Field(f.int({ min: 1 }), { optional: true, description: 'Tokens of one request.' }) requestTokenCap?: number;
  @Field(CAP, {
    optional: true,
    description: 'Model calls stop below this balance, less what running calls have reserved.',
  })
  minimumBalance?: number;
  @Field(WORKERS, { optional: true, description: 'Task executions side by side.' }) taskConcurrency?: number;
  @Field(WORKERS, { optional: true, description: 'Agent jobs side by side.' }) jobConcurrency?: number;
  @Field(APPROVALS, {
    optional: true,
    description: 'Calls of tools that need an approval, whichever agent of the Space makes them.',
  })
  approvals?: ApprovalRule[];
  @Field(CAPTURES, {
    optional: true,
    description:
      "Traces hold what was said to models and tools, secrets masked, where the platform's operator allows it. Off unless set.",
  })
  captureContent?: boolean;
}

@Described('Given settings are set, null resets one to the default.')
export class ChangeSettings {
  @Field(CAP, { optional: true, nullable: true, description: 'Most tokens per day.' }) dailyTokenCap?: number | null;
  @Field(f.int({ min: 1 }), { optional: true, nullable: true, description: 'Most tokens per request.' })
  requestTokenCap?: number | null;
  @Field(CAP, { optional: true, nullable: true, description: 'Balance below which model calls are rejected.' })
  minimumBalance?: number | null;
  @Field(WORKERS, { optional: true, nullable: true, description: 'Most executions that run at the same time.' })
  taskConcurrency?: number | null;
  @Field(WORKERS, { optional: true, nullable: true, description: 'Most jobs that run at the same time.' })
  jobConcurrency?: number | null;
  @Field(APPROVALS, {
    optional: true,
    nullable: true,
    description: 'Rules for tool calls of all agents of the Space that need an approval.',
  })
  approvals?: ApprovalRule[] | null;
  @Field(CAPTURES, {
    optional: true,
    nullable: true,
    description: 'Whether contents of model calls are added to traces.',
  })
  captureContent?: boolean | null;
}

@Described("A Space and the caller's role in it.")
export class SpaceView {
  @Field(f.id()) id!: string;
  @Field(f.text()) name!: string;
  @Field(f.oneOf(ROLES), { description: "The caller's role in it." }) role!: Role;
  @Field(f.object(() => SpaceSettings), { description: 'Settings of the Space.' }) settings!: SpaceSettings;
  @Field(f.time()) createdAt!: string;
  @Field(f.time()) updatedAt!: string;
  @Field(f.text(), { secret: true, optional: true, description: 'Signs the callbacks of jobs; shown to ADMIN and up.' })
  webhookSecret?: string;
  @Field(f.text(), {
    optional: true,
    description:
      'Why callbacks cannot be signed, such as a `webhookSecret` that cannot be decrypted after the loss of a key, and ' +
      'how to mend it. Absent if there is nothing. Only for ADMIN and up.',
  })
  problem?: string;
  @Field(f.object(() => Ceilings), {
    optional: true,
    description: 'Limits that an operator of the platform has set. Only ADMIN and OWNER see them.',
  })
  ceilings?: Ceilings;
  @Field(f.object(() => SpaceUsed), { optional: true, description: 'Shown to ADMIN and up.' }) used?: SpaceUsed;
}

const NAME = f.text({ min: 1, max: 200, pattern: '\\S', allows: 'must not be blank' });

@Described('A new Space.')
export class CreateSpace {
  @Field(NAME, { example: 'Research', description: 'Name of the Space.' }) name!: string;
}

@Described('Changes of a Space. Given fields are replaced, the others stay.')
export class UpdateSpaceBody {
  @Field(NAME, { optional: true, description: 'New name.' }) name?: string;
  @Field(f.object(() => ChangeSettings), { optional: true, description: 'Settings to change.' })
  settings?: ChangeSettings;
}

export class UpdateSpace extends UpdateSpaceBody {
  @Field(f.id()) spaceId!: string;
}

export class InSpace {
  @Field(f.id()) spaceId!: string;
}

export class ListInSpace extends PageRequest {
  @Field(f.id()) spaceId!: string;
}

@Described('The secret that signs callbacks.')
export class WebhookSecret {
  @Field(f.text(), {
    secret: true,
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    description: 'The new secret. It is shown once.',
  })
  webhookSecret!: string;
}

/** Settings as the services use them; null is the platform's default. */
export class EffectiveSettings {
  @Field(CAP, { nullable: true }) dailyTokenCap!: number | null;
  @Field(CAP, { nullable: true }) requestTokenCap!: number | null;
  @Field(CAP, { nullable: true }) minimumBalance!: number | null;
  @Field(WORKERS, { nullable: true }) taskConcurrency!: number | null;
  @Field(WORKERS, { nullable: true }) jobConcurrency!: number | null;
  @Field(APPROVALS) approvals!: ApprovalRule[];
  @Field(f.object(() => Ceilings)) ceilings!: Ceilings;
  @Field(f.object(() => Payer)) payer!: Payer;
  @Field(f.oneOf(SPACE_STATUSES)) status!: SpaceStatus;
  @Field(f.text(), { nullable: true, description: 'Why it is suspended.' }) suspendedReason!: string | null;
  @Field(f.time(), { nullable: true, description: 'Since when it is suspended; null while it is not.' })
  suspendedAt!: string | null;
  @Field(f.bool(), { description: 'Tokens are counted, and a balance of 0 stops nothing.' }) unmetered!: boolean;
  @Field(f.int({ min: 0 }), {
    nullable: true,
    description: 'Tokens that the Space starts with; null for a Space of before, which has what the relay gave it.',
  })
  startingTokens!: number | null;
}

/** The Spaces that are suspended, in the order of their ids. */
export class ListSuspendedSpaces {
  @Field(f.id(), { optional: true, description: 'The last Space of the page before.' }) after?: string;
  @Field(f.time(), { optional: true, description: 'Spaces instead whose last suspension ended after this time.' })
  resumedAfter?: string;
}

export class SuspendedSpace {
  @Field(f.id()) spaceId!: string;
  @Field(f.time()) suspendedAt!: string;
  @Field(f.time(), { optional: true, description: 'When that suspension ended.' }) resumedAt?: string;
}

export class SuspendedSpaces {
  @Field(f.list(f.object(() => SuspendedSpace))) items!: SuspendedSpace[];
  @Field(f.bool(), { description: 'Whether a page follows this one.' }) hasMore!: boolean;
}

/** Whether spans may contain message content, and the secrets to mask in it. */
export class ContentCaptureView {
  @Field(f.bool()) captures!: boolean;
  @Field(f.list(f.text()), {
    nullable: true,
    description:
      "The values of all the Space's secrets, none while it captures nothing; null: more than can be masked.",
  })
  secrets!: string[] | null;
}
