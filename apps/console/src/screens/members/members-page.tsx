import type { ReactNode } from 'react';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';

export function MembersPage(): ReactNode {
  return (
    <Page title="Members">
      <Empty title="Not built yet" />
    </Page>
  );
}
