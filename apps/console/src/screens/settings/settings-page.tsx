import type { ReactNode } from 'react';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';

export function SettingsPage(): ReactNode {
  return (
    <Page title="Settings">
      <Empty title="Not built yet" />
    </Page>
  );
}
