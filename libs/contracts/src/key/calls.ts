import { defineCall } from '../define/contracts';
import { ById, Nothing, PageRequest, pageOf } from '../define/shapes';
import {
  ApiKeyView,
  ApiKeyWithValue,
  CreateApiKey,
  IssueSystemKey,
  KeyValidity,
  ListApiKeys,
  OfApplication,
  RotateApiKey,
  RotateSystemKey,
  SystemKey,
  UpdateApiKey,
  ValidateApiKey,
} from './api-keys';
import { SecurityEvent, SecurityEventView } from './audit';
import {
  AreMembers,
  MemberIdentity,
  MembersFound,
  ResolveExternalIdentity,
  ResolveMember,
  VerifiedKey,
  VerifyKey,
} from './identity';
import { KeyLimits, LimitsOfKey } from './key-limits';
import { Me } from './me';
import { AcceptInvitation, AddMember, ChangeRole, MemberRef, MemberView } from './members';
import { CreateSpace, EffectiveSettings, InSpace, ListInSpace, SpaceView, UpdateSpace, WebhookSecret } from './spaces';
import {
  ChangePassword,
  Login,
  RefreshSession,
  RefreshTokenBody,
  SignedIn,
  SwitchSpace,
  VerificationKeys,
} from './tokens';

export const KeyCalls = {
  /** Whose key this is, or UNAUTHORIZED: unknown, revoked, expired and orphaned keys are one. */
  verifyKey: defineCall({
    subject: 'key.verify-key',
    request: VerifyKey,
    reply: VerifiedKey,
    errors: ['UNAUTHORIZED'],
    callers: ['gateway'],
    offline: true,
  }),
  /** A person's membership of a Space as it is now, or NOT_FOUND. */
  resolveMember: defineCall({
    subject: 'key.resolve-member',
    request: ResolveMember,
    reply: MemberIdentity,
    errors: ['NOT_FOUND'],
    callers: ['gateway', 'task', 'job', 'agent', 'event-bus', 'session'],
    offline: true,
  }),
  /** The person behind a verified token of the external issuer, in the Space it opens. */
  resolveExternalIdentity: defineCall({
    subject: 'key.resolve-external-identity',
    request: ResolveExternalIdentity,
    reply: MemberIdentity,
    errors: ['UNAUTHORIZED'],
    callers: ['gateway'],
    offline: true,
  }),
  jwks: defineCall({
    subject: 'key.jwks',
    request: Nothing,
    reply: VerificationKeys,
    callers: ['gateway'],
    offline: true,
  }),
  areMembers: defineCall({
    subject: 'key.are-members',
    request: AreMembers,
    reply: MembersFound,
    callers: ['agent'],
  }),

  login: defineCall({
    subject: 'key.login',
    request: Login,
    reply: SignedIn,
    errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
    callers: ['gateway'],
  }),
  acceptInvitation: defineCall({
    subject: 'key.accept-invitation',
    request: AcceptInvitation,
    reply: SignedIn,
    errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'RATE_LIMITED', 'VALIDATION_ERROR'],
    callers: ['gateway'],
  }),
  refresh: defineCall({
    subject: 'key.refresh',
    request: RefreshSession,
    reply: SignedIn,
    errors: ['UNAUTHORIZED'],
    callers: ['gateway'],
  }),
  logout: defineCall({ subject: 'key.logout', request: RefreshTokenBody, reply: Nothing, callers: ['gateway'] }),
  /** Ends the sign-in that the token belongs to, whoever sends it: holding it is the proof. */
  endSession: defineCall({
    subject: 'key.end-session',
    request: RefreshTokenBody,
    reply: Nothing,
    callers: ['gateway'],
  }),
  switchSpace: defineCall({
    subject: 'key.switch-space',
    request: SwitchSpace,
    reply: SignedIn,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
    callers: ['gateway'],
  }),
  changePassword: defineCall({
    subject: 'key.change-password',
    request: ChangePassword,
    reply: Nothing,
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'],
    callers: ['gateway'],
  }),
  linkIdentity: defineCall({
    subject: 'key.link-identity',
    request: ResolveExternalIdentity,
    reply: Nothing,
    errors: ['CONFLICT', 'FORBIDDEN'],
    callers: ['gateway'],
  }),
  me: defineCall({ subject: 'key.me', request: Nothing, reply: Me, errors: ['UNAUTHORIZED'], callers: ['gateway'] }),

  listSpaces: defineCall({
    subject: 'key.list-spaces',
    request: PageRequest,
    reply: pageOf(SpaceView),
    callers: ['gateway'],
  }),
  createSpace: defineCall({
    subject: 'key.create-space',
    request: CreateSpace,
    reply: SpaceView,
    errors: ['CONFLICT'],
    callers: ['gateway'],
  }),
  getSpace: defineCall({
    subject: 'key.get-space',
    request: InSpace,
    reply: SpaceView,
    errors: ['NOT_FOUND'],
    callers: ['gateway'],
  }),
  updateSpace: defineCall({
    subject: 'key.update-space',
    request: UpdateSpace,
    reply: SpaceView,
    errors: ['NOT_FOUND'],
    callers: ['gateway'],
  }),
  rotateWebhookSecret: defineCall({
    subject: 'key.rotate-webhook-secret',
    request: InSpace,
    reply: WebhookSecret,
    errors: ['NOT_FOUND'],
    callers: ['gateway'],
  }),
  getWebhookSecret: defineCall({
    subject: 'key.get-webhook-secret',
    request: InSpace,
    reply: WebhookSecret,
    errors: ['NOT_FOUND'],
    callers: ['job'],
  }),
  getSpaceSettings: defineCall({
    subject: 'key.get-space-settings',
    request: InSpace,
    reply: EffectiveSettings,
    errors: ['NOT_FOUND'],
    callers: ['relay', 'task', 'job', 'agent'],
  }),

  listMembers: defineCall({
    subject: 'key.list-members',
    request: ListInSpace,
    reply: pageOf(MemberView),
    errors: ['NOT_FOUND'],
    callers: ['gateway'],
  }),
  addMember: defineCall({
    subject: 'key.add-member',
    request: AddMember,
    reply: MemberView,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
    callers: ['gateway'],
  }),
  changeRole: defineCall({
    subject: 'key.change-role',
    request: ChangeRole,
    reply: MemberView,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
    callers: ['gateway'],
  }),
  removeMember: defineCall({
    subject: 'key.remove-member',
    request: MemberRef,
    reply: Nothing,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
    callers: ['gateway'],
  }),

  createApiKey: defineCall({
    subject: 'key.create-api-key',
    request: CreateApiKey,
    reply: ApiKeyWithValue,
    errors: ['FORBIDDEN', 'VALIDATION_ERROR', 'CONFLICT'],
    callers: ['gateway'],
  }),
  listApiKeys: defineCall({
    subject: 'key.list-api-keys',
    request: ListApiKeys,
    reply: pageOf(ApiKeyView),
    callers: ['gateway'],
  }),
  getApiKey: defineCall({
    subject: 'key.get-api-key',
    request: ById,
    reply: ApiKeyView,
    errors: ['NOT_FOUND'],
    callers: ['gateway'],
  }),
  updateApiKey: defineCall({
    subject: 'key.update-api-key',
    request: UpdateApiKey,
    reply: ApiKeyView,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'VALIDATION_ERROR'],
    callers: ['gateway'],
  }),
  /** What a key may use: for the services that hold it to that. A key that is gone has no limits. */
  getKeyLimits: defineCall({
    subject: 'key.get-key-limits',
    request: LimitsOfKey,
    reply: KeyLimits,
    callers: ['relay', 'agent'],
  }),
  revokeApiKey: defineCall({
    subject: 'key.revoke-api-key',
    request: ById,
    reply: ApiKeyView,
    errors: ['NOT_FOUND'],
    callers: ['gateway'],
  }),
  rotateApiKey: defineCall({
    subject: 'key.rotate-api-key',
    request: RotateApiKey,
    reply: ApiKeyWithValue,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
    callers: ['gateway'],
  }),
  validateApiKey: defineCall({
    subject: 'key.validate-api-key',
    request: ValidateApiKey,
    reply: KeyValidity,
    errors: ['RATE_LIMITED'],
    callers: ['gateway'],
  }),

  /** Gives the application its one key; an earlier one dies. */
  issueSystemKey: defineCall({
    subject: 'key.issue-system-key',
    request: IssueSystemKey,
    reply: SystemKey,
    callers: ['event-bus'],
  }),
  rotateSystemKey: defineCall({
    subject: 'key.rotate-system-key',
    request: RotateSystemKey,
    reply: SystemKey,
    errors: ['NOT_FOUND'],
    callers: ['event-bus'],
  }),
  revokeSystemKey: defineCall({
    subject: 'key.revoke-system-key',
    request: OfApplication,
    reply: Nothing,
    callers: ['event-bus'],
  }),

  recordSecurityEvent: defineCall({
    subject: 'key.record-security-event',
    request: SecurityEvent,
    reply: Nothing,
    callers: ['gateway', 'agent', 'session', 'event-bus'],
  }),
  listSecurityEvents: defineCall({
    subject: 'key.list-security-events',
    request: ListInSpace,
    reply: pageOf(SecurityEventView),
    errors: ['NOT_FOUND'],
    callers: ['gateway'],
  }),
};
