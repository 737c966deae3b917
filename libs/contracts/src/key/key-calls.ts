import type { AccessRule } from '../define/access-rules';
import { defineCall } from '../define/define-contracts';
import { Nothing } from '../define/common-shapes';
import {
  AreMembers,
  ExternalPerson,
  MemberIdentity,
  MembersFound,
  ResolveExternalIdentity,
  ResolveMember,
  ResolveSignIn,
  SignInIdentity,
  VerifiedKey,
  VerifyKey,
} from './identity';
import { ApiKeyCalls } from './api-key-calls';
import { Me } from './current-caller';
import { NatsAccountCalls } from './nats-account-calls';
import { OperatorCalls } from './operator-calls';
import { OperatorSpaceCalls } from './operator-space-calls';
import { SpaceCalls } from './space-calls';
import { AcceptInvitation } from './members';
import {
  ChangePassword,
  Login,
  RefreshSession,
  RefreshTokenBody,
  ResetPassword,
  SignedIn,
  SwitchSpace,
  VerificationKeys,
} from './sign-in-and-tokens';

/** Concerns the account itself, so any signed-in person may call it. */
const WITHOUT_SPACE: AccessRule = { withoutSpace: true };

export const KeyCalls = {
  /** The owner of a key. UNAUTHORIZED alike for unknown, revoked, expired and orphaned keys. */
  verifyKey: defineCall({
    subject: 'key.verify-key',
    request: VerifyKey,
    reply: VerifiedKey,
    errors: ['UNAUTHORIZED'],
    access: 'internal',
    callers: ['gateway'],
    offline: true,
  }),
  /** A person's current membership of a Space, or NOT_FOUND. */
  resolveMember: defineCall({
    subject: 'key.resolve-member',
    request: ResolveMember,
    reply: MemberIdentity,
    errors: ['NOT_FOUND'],
    access: 'internal',
    callers: ['gateway', 'task', 'job', 'agent'],
    offline: true,
  }),
  /** The current sign-in of a person without a Space, or NOT_FOUND. */
  resolveSignIn: defineCall({
    subject: 'key.resolve-sign-in',
    request: ResolveSignIn,
    reply: SignInIdentity,
    errors: ['NOT_FOUND'],
    access: 'internal',
    callers: ['gateway'],
    offline: true,
  }),
  /** The person of a verified token of the external issuer, in the Space it opens. */
  resolveExternalIdentity: defineCall({
    subject: 'key.resolve-external-identity',
    request: ResolveExternalIdentity,
    reply: ExternalPerson,
    errors: ['UNAUTHORIZED', 'NOT_FOUND'],
    access: 'internal',
    callers: ['gateway'],
    offline: true,
  }),
  jwks: defineCall({
    subject: 'key.jwks',
    request: Nothing,
    reply: VerificationKeys,
    access: 'public',
    callers: ['gateway'],
    offline: true,
  }),
  areMembers: defineCall({
    subject: 'key.are-members',
    request: AreMembers,
    reply: MembersFound,
    access: 'internal',
    callers: ['agent'],
  }),

  login: defineCall({
    subject: 'key.login',
    request: Login,
    reply: SignedIn,
    errors: ['UNAUTHORIZED'],
    access: 'public',
    callers: ['gateway'],
  }),
  acceptInvitation: defineCall({
    subject: 'key.accept-invitation',
    request: AcceptInvitation,
    reply: SignedIn,
    errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'UNAUTHORIZED'],
    access: 'public',
    callers: ['gateway'],
  }),
  refresh: defineCall({
    subject: 'key.refresh',
    request: RefreshSession,
    reply: SignedIn,
    errors: ['UNAUTHORIZED'],
    access: 'public',
    callers: ['gateway'],
    http: {
      name: 'refreshTokens',
      method: 'POST',
      path: '/auth/refresh',
      summary: 'Get new tokens for a refresh token',
      description:
        'Each refresh token is good for one use. A second use ends the sign-in, with all its tokens, at once.',
      message: 'Tokens renewed.',
      body: RefreshTokenBody,
    },
  }),
  logout: defineCall({
    subject: 'key.logout',
    request: RefreshTokenBody,
    reply: Nothing,
    access: WITHOUT_SPACE,
    callers: ['gateway'],
    http: {
      name: 'signOut',
      method: 'POST',
      path: '/auth/logout',
      summary: 'End the sign-in that a refresh token belongs to',
      description: "Its access tokens end with it. A token that is unknown or not the caller's changes nothing.",
      message: 'Signed out.',
    },
  }),
  /** Ends the session of this token. Possession of the token is enough. */
  endSession: defineCall({
    subject: 'key.end-session',
    request: RefreshTokenBody,
    reply: Nothing,
    access: 'public',
    callers: ['gateway'],
  }),
  switchSpace: defineCall({
    subject: 'key.switch-space',
    request: SwitchSpace,
    reply: SignedIn,
    errors: ['NOT_FOUND'],
    access: WITHOUT_SPACE,
    callers: ['gateway'],
    http: {
      name: 'switchSpace',
      method: 'POST',
      path: '/auth/switch-space',
      summary: 'Get tokens for another of your Spaces',
      description: 'Needs the access token of a signed-in person: a key acts in its one Space.',
      message: 'Switched.',
    },
  }),
  changePassword: defineCall({
    subject: 'key.change-password',
    request: ChangePassword,
    reply: Nothing,
    errors: ['UNAUTHORIZED'],
    access: WITHOUT_SPACE,
    callers: ['gateway'],
    http: {
      name: 'changePassword',
      method: 'POST',
      path: '/auth/password',
      summary: 'Change your password',
      description: 'Ends every other sign-in of the account. Needs the access token of a signed-in person.',
      message: 'Password changed.',
    },
  }),
  resetPassword: defineCall({
    subject: 'key.reset-password',
    request: ResetPassword,
    reply: Nothing,
    errors: ['NOT_FOUND'],
    access: 'public',
    callers: ['gateway'],
  }),
  linkIdentity: defineCall({
    subject: 'key.link-identity',
    request: ResolveExternalIdentity,
    reply: Nothing,
    errors: ['CONFLICT', 'NOT_FOUND'],
    access: WITHOUT_SPACE,
    callers: ['gateway'],
  }),
  me: defineCall({
    subject: 'key.me',
    request: Nothing,
    reply: Me,
    errors: ['UNAUTHORIZED'],
    access: { withoutSpace: true, operatorKey: true },
    callers: ['gateway'],
    http: {
      name: 'getCurrentUser',
      method: 'GET',
      path: '/auth/me',
      summary: 'Read the caller, its Space and its credential',
      message: 'This is you.',
    },
    tool: {
      name: 'whoami',
      title: 'Who am I',
      description: 'The user, the Space, the role and the scopes of this connection.',
      readOnly: true,
    },
  }),

  ...SpaceCalls,
  ...OperatorSpaceCalls,
  ...ApiKeyCalls,
  ...OperatorCalls,
  ...NatsAccountCalls,
};
