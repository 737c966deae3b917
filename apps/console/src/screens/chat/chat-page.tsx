import type { ReactNode } from 'react';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/states';

export function ChatPage(): ReactNode {
  return (
    <Page title="Chat">
      <Empty title="Not built yet" />
    </Page>
  );
}
