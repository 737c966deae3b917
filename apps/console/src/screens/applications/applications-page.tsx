import type { ReactNode } from 'react';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';

export function ApplicationsPage(): ReactNode {
  return (
    <Page title="Applications">
      <Empty title="Not built yet" />
    </Page>
  );
}
