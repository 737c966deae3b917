import type { ReactNode } from 'react';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';

export function SecretsPage(): ReactNode {
  return (
    <Page title="Secrets">
      <Empty title="Not built yet" />
    </Page>
  );
}
