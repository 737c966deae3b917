import type { ReactNode } from 'react';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';

export function DatasetsPage(): ReactNode {
  return (
    <Page title="Datasets">
      <Empty title="Not built yet" />
    </Page>
  );
}
