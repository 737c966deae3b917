import type { ReactNode } from 'react';
import type { Draft } from '../api/use-draft';
import { Button } from './button';
import { Note } from './note';

interface Props {
  of: Pick<Draft<unknown>, 'newer' | 'takeNewer' | 'keepMine'>;
  /** Kind of record: "agent". */
  noun: string;
}

/** Said over a form when someone else has saved its record meanwhile. */
export const NewerVersion = ({ of, noun }: Props): ReactNode =>
  of.newer && (
    <Note
      tone="warn"
      className="mb-4"
      action={
        <span className="flex gap-2">
          <Button size="small" onClick={of.takeNewer}>
            Load version {of.newer.version}
          </Button>
          <Button size="small" onClick={of.keepMine}>
            Keep mine
          </Button>
        </span>
      }
    >
      Someone else saved version {of.newer.version} of this {noun}. Load it and lose your changes, or keep yours and
      save them over it.
    </Note>
  );
