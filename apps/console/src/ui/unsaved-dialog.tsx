import type { ReactNode } from 'react';
import { useUnsaved } from '../api/use-unsaved';
import { Button } from './button';
import { Dialog } from './dialog';

export function UnsavedDialog({ isDirty }: { isDirty: boolean }): ReactNode {
  const { isAsking, stay, leave } = useUnsaved(isDirty);
  return (
    <Dialog
      open={isAsking}
      onClose={stay}
      title="Leave without saving"
      description="What you changed here is not saved."
    >
      <div className="flex justify-end gap-2">
        <Button onClick={stay}>Stay</Button>
        <Button look="danger" onClick={leave}>
          Leave without saving
        </Button>
      </div>
    </Dialog>
  );
}
