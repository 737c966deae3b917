import { AppError } from '@switchyard/kernel';
import { roleAtLeast, Role } from '@switchyard/contracts';

interface SessionReader {
  userId: string | null;
  role: Role | null;
}

const absent = (what: string): AppError =>
  new AppError('NOT_FOUND', `${what.charAt(0).toUpperCase()}${what.slice(1)} not found.`);

export const readsEverything = (reader: SessionReader): boolean => roleAtLeast(reader.role, 'ADMIN');

/** A conversation belongs to its user; ADMIN and up may read it. For others it does not exist. */
export function checkMayRead(reader: SessionReader, ownerId: string, what: string): void {
  if (reader.userId !== ownerId && !readsEverything(reader)) throw absent(what);
}

/** Only its maker may change it. Other readers are refused with the reason; for all others it does not exist. */
export function checkMayWrite(writer: SessionReader, ownerId: string, what: string): void {
  checkMayRead(writer, ownerId, what);
  if (writer.userId !== ownerId) throw new AppError('FORBIDDEN', `Only its maker may change this ${what}.`);
}

/** A session that has an agent belongs under that agent's path only. */
export function checkAgentOf(session: { agentId: string | null }, agentId: string): void {
  if (session.agentId !== null && session.agentId !== agentId) throw absent('session of this agent');
}
