import type { ReactNode } from 'react';
import { DropdownMenu } from 'radix-ui';
import { classes } from './class-names';

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  isDanger?: boolean;
  isChosen?: boolean;
}

interface Props {
  trigger: ReactNode;
  items: readonly (MenuItem | null)[];
  label?: string;
  align?: 'start' | 'end';
}

/** Null is a line between items. */
export function Menu({ trigger, items, label, align = 'end' }: Props): ReactNode {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={6}
          className="z-50 max-h-[70dvh] min-w-48 overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-high"
        >
          {label !== undefined && (
            <DropdownMenu.Label className="px-2.5 py-1.5 text-xs text-faint">{label}</DropdownMenu.Label>
          )}
          {items.map((item, index) =>
            item === null ? (
              <DropdownMenu.Separator key={index} className="mx-1 my-1 h-px bg-line" />
            ) : (
              <DropdownMenu.Item
                key={item.label}
                onSelect={item.onSelect}
                className={classes(
                  'flex cursor-default items-center gap-2.5 rounded-lg px-2.5 py-1.5 outline-none data-[highlighted]:bg-sunken',
                  item.isDanger === true ? 'text-bad' : 'text-ink',
                  item.isChosen === true && 'font-medium',
                )}
              >
                {item.icon}
                {item.label}
              </DropdownMenu.Item>
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
