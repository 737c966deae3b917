import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { Page } from '../ui/page';
import { Empty } from '../ui/states';

export function NotFound(): ReactNode {
  return (
    <Page title="Not found">
      <Empty
        title="There is nothing here"
        action={
          <Link to="/activity" className="text-accent underline underline-offset-2">
            Go to Activity
          </Link>
        }
      >
        It may have been deleted, or it belongs to another Space.
      </Empty>
    </Page>
  );
}
