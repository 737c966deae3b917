import type { Schemas } from '../api/schemas';
import type { SecurityEvent } from './spaces-keys-and-members';

export type OperatorSpace = Schemas['OperatorSpaceView'];
export type NewOperatorSpace = Schemas['CreateOperatorSpace'];
export type OperatorSpaceChanges = Schemas['ChangeOperatorSpaceBody'];
export type Ceilings = Schemas['Ceilings'];
export type Account = Schemas['AccountView'];
export type OperatorKey = Schemas['OperatorKeyView'];
/** With `key`, shown this once. */
export type OperatorKeyWithValue = Schemas['OperatorKeyWithValue'];
export type NewOperatorKey = Schemas['CreateOperatorKey'];

export const SPACE_USES = ['turns', 'runs', 'emissions', 'bytes', 'connections', 'tokens', 'queue', 'frames'] as const;
export type SpaceUse = (typeof SPACE_USES)[number];

/** One of the Spaces that use most of something now. */
export interface TopSpace {
  spaceId: string;
  name: string | null;
  value: number;
}

/** Work that was given up because it had lost its process twice. */
export interface PoisonedWork {
  kind: string;
  id: string;
  spaceId: string | null;
  losses: number;
  at: string;
}

/** An event that a service could not handle. */
export interface DeadLetter {
  id: string;
  spaceId: string | null;
  service: string;
  event: string;
  bytes: number;
  attempts: number;
  reason: string;
  firstAt: string;
  lastAt: string;
  requeuedAt: string | null;
}

/** Of a Space, or of the platform where `spaceId` is null. */
export type PlatformEvent = SecurityEvent & { spaceId: string | null };
