import type { ReactNode } from 'react';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';

export function UsagePage(): ReactNode {
  return (
    <Page title="Usage">
      <Empty title="Not built yet" />
    </Page>
  );
}
