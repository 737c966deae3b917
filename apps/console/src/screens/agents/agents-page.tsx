import type { ReactNode } from 'react';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';

export function AgentsPage(): ReactNode {
  return (
    <Page title="Agents">
      <Empty title="Not built yet" />
    </Page>
  );
}
