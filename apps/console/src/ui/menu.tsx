import type { ReactNode } from 'react';
import { DropdownMenu } from 'radix-ui';
import { classes } from './class-names';

export interface MenuItem {
  label: string;
  /** Where labels may be the same. */
  key?: string;
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
              <Item key={item.key ?? item.label} item={item} />
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** One of several choices says whether it is the chosen one. */
function Item({ item }: { item: MenuItem }): ReactNode {
  const shape = classes(
    'flex cursor-default items-center gap-2.5 rounded-lg px-2.5 py-1.5 outline-none data-[highlighted]:bg-sunken',
    item.isDanger === true ? 'text-bad' : 'text-ink',
    item.isChosen === true && 'font-medium',
  );
  const content = (
    <>
      {item.icon}
      {item.label}
    </>
  );
  return item.isChosen === undefined ? (
    <DropdownMenu.Item className={shape} onSelect={item.onSelect}>
      {content}
    </DropdownMenu.Item>
  ) : (
    <DropdownMenu.CheckboxItem checked={item.isChosen} className={shape} onSelect={item.onSelect}>
      {content}
    </DropdownMenu.CheckboxItem>
  );
}
