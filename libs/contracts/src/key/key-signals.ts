import { defineSignal } from '../define/define-contracts';
import { Nothing } from '../define/common-shapes';
import { Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { NatsAccountChanged, NatsReceiverChanged } from './nats-accounts';
import { InSpace } from './spaces';

export class CredentialEnded {
  @Field(f.id(), { description: 'The id of a key, or of the sign-in that access tokens came from.' })
  credentialId!: string;
}

export class CredentialAltered {
  @Field(f.id()) credentialId!: string;
  @Field(f.int({ min: 1 })) version!: number;
}

export class MemberTouched {
  @Field(f.id()) spaceId!: string;
  @Field(f.id()) userId!: string;
}

export class AccountTouched {
  @Field(f.id()) userId!: string;
}

export const KeySignals = {
  /** The credential is revoked: drop it from caches and end the streams it opened. */
  credentialRevoked: defineSignal({
    name: 'key.credential-revoked',
    senders: ['key'],
    hearers: ['gateway'],
    data: CredentialEnded,
  }),
  /** Scopes, expiry or value changed: cached versions below this one are stale; streams continue. */
  credentialChanged: defineSignal({
    name: 'key.credential-changed',
    senders: ['key'],
    hearers: ['gateway', 'relay', 'agent', 'event-bus'],
    data: CredentialAltered,
  }),
  /** The person's role changed, or the membership ended. */
  memberChanged: defineSignal({
    name: 'key.member-changed',
    senders: ['key'],
    hearers: ['gateway', 'task', 'agent'],
    data: MemberTouched,
  }),
  /** The account was disabled or enabled, or gained or lost operator rights. */
  accountChanged: defineSignal({
    name: 'key.account-changed',
    senders: ['key'],
    hearers: ['gateway'],
    data: AccountTouched,
  }),
  /** The Space's settings, ceilings, payer or status changed. */
  settingsChanged: defineSignal({
    name: 'key.settings-changed',
    senders: ['key'],
    hearers: ['relay', 'task', 'job', 'agent', 'dataset', 'session', 'event-bus', 'gateway'],
    data: InSpace,
  }),
  /** A server may have a user of the account from now on, or none any more. */
  natsAccountChanged: defineSignal({
    name: 'key.nats-account-changed',
    senders: ['key'],
    hearers: ['gateway'],
    data: NatsAccountChanged,
  }),
  /** The account was revoked or rotated: events are sent to it again when a server has loaded its user. */
  natsReceiverChanged: defineSignal({
    name: 'key.nats-receiver-changed',
    senders: ['key'],
    hearers: ['event-bus'],
    data: NatsReceiverChanged,
  }),
  /** New verification keys: all verifiers reload them, other replicas of the key service too. */
  signingKeysChanged: defineSignal({
    name: 'key.signing-keys-changed',
    senders: ['key'],
    hearers: ['gateway', 'key'],
    data: Nothing,
  }),
};

/**
 * Redis key of the last version of a changed credential, kept while caches may still be filled with an older one. For a
 * revoked credential the version is `Number.MAX_SAFE_INTEGER`.
 */
export const tombstoneKey = (credentialId: string): string => `credential:${credentialId}`;
export const TOMBSTONE_SECONDS = 60;
