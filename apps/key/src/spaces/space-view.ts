import type { SpaceView, UserView } from '@switchyard/contracts';
import type { SpaceOfMember } from '../db/spaces.repository';
import type { UserRow } from '../db/users.repository';

export const spaceView = (space: SpaceOfMember): SpaceView => ({
  id: space.id,
  name: space.name,
  role: space.role,
  settings: space.settings,
  createdAt: space.createdAt,
  updatedAt: space.updatedAt,
});

export const userView = (user: UserRow): UserView => ({
  id: user.id,
  email: user.email,
  name: user.name,
  createdAt: user.createdAt,
  ...(user.operator ? { operator: true } : {}),
});
