import type { ReactNode } from 'react';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';

export function TasksPage(): ReactNode {
  return (
    <Page title="Tasks">
      <Empty title="Not built yet" />
    </Page>
  );
}
