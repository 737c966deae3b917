import type { ReactNode } from 'react';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';

export function EventsPage(): ReactNode {
  return (
    <Page title="Events">
      <Empty title="Not built yet" />
    </Page>
  );
}
