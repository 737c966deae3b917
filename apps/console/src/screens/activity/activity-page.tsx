import type { ReactNode } from 'react';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';

export function ActivityPage(): ReactNode {
  return (
    <Page title="Activity">
      <Empty title="Not built yet" />
    </Page>
  );
}
