import type { ReactNode } from 'react';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';

export function InboxPage(): ReactNode {
  return (
    <Page title="Inbox">
      <Empty title="Not built yet" />
    </Page>
  );
}
