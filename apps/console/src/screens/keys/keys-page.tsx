import type { ReactNode } from 'react';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';

export function KeysPage(): ReactNode {
  return (
    <Page title="Keys">
      <Empty title="Not built yet" />
    </Page>
  );
}
