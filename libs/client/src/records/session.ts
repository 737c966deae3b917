import type { Schemas } from '../api/schemas';

export type Session = Schemas['SessionView'];
/** A session in a list: its metadata is in the single record alone. */
export type SessionSummary = Omit<Session, 'metadata'>;
export type NewSession = Schemas['CreateSession'];
export type SessionChanges = Schemas['SessionChanges'];
/** `seq` is contiguous within the session, from 1. */
export type Message = Schemas['MessageView'];
export type ContextStatus = Schemas['ContextStatusBody'];
export type Compaction = Schemas['CompactionBody'];
