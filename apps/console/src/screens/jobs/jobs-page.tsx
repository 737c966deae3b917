import type { ReactNode } from 'react';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';

export function JobsPage(): ReactNode {
  return (
    <Page title="Jobs">
      <Empty title="Not built yet" />
    </Page>
  );
}
