import { createContext, use } from 'react';
import type { Role, Space, SwitchyardClient } from '@switchyard/client';

export interface Session {
  client: SwitchyardClient;
  user: { id: string; email: string; name: string; operator?: boolean };
  space: Space;
}

/** Of a person who belongs to no Space: an operator of the platform, who has its area alone. */
export const NO_SPACE: Space = {
  id: '',
  name: 'No Space',
  role: 'VIEWER',
  settings: {},
  createdAt: '1970-01-01T00:00:00.000Z',
  updatedAt: '1970-01-01T00:00:00.000Z',
};

export const hasSpace = (space: Space): boolean => space.id !== NO_SPACE.id;

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('Nobody is signed in.');
  return session;
}

export const useClient = (): SwitchyardClient => useSession().client;

const RANKS: Record<Role, number> = { VIEWER: 0, MEMBER: 1, ADMIN: 2, OWNER: 3 };

export const isAtLeast = (role: Role, least: Role): boolean => RANKS[role] >= RANKS[least];

/** Whether the person may do what needs this role: what would be refused is not offered. */
export const useMay = (least: Role): boolean => isAtLeast(useSession().space.role, least);
