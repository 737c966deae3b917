import type { StoredApplication } from '../db/applications.repository';

/** An application, as those know it to whom it brings something; the revision is that of its latest change. */
export interface Owner {
  spaceId: string;
  applicationId: string;
  identifier: string;
  revision: number;
  installedBy: string | null;
}

export const ownerOf = (spaceId: string, application: StoredApplication): Owner => ({
  spaceId,
  applicationId: application.id,
  identifier: application.identifier,
  revision: application.revision,
  installedBy: application.installedBy,
});
