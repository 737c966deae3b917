import type { ReactNode } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Check, ChevronsUpDown } from 'lucide-react';
import { auth } from '../session/console-auth';
import { useSession } from '../session/session-context';
import { Mark } from '../ui/mark';
import { Menu } from '../ui/menu';
import { toast } from '../ui/toast';

export function SpaceSwitcher(): ReactNode {
  const { client, space } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { data } = useQuery({ queryKey: ['spaces'], queryFn: () => client.spaces.list({ limit: 100 }) });
  const open = async (spaceId: string): Promise<void> => {
    try {
      await auth.switchSpace(spaceId);
      queries.clear();
      await navigate({ to: '/activity' });
    } catch (error) {
      toast.failed(error);
    }
  };
  return (
    <Menu
      align="start"
      label="Spaces"
      trigger={
        <button type="button" className="flex w-full items-center gap-2.5 rounded-lg p-1.5 text-left hover:bg-sunken">
          <Mark className="size-7 shrink-0" />
          <span className="sr-only">Space:</span>
          <span className="min-w-0 flex-1">
            <span className="block truncate font-semibold">{space.name}</span>
            <span className="block text-xs text-faint">{space.role.toLowerCase()}</span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-faint" aria-hidden="true" />
        </button>
      }
      items={(data?.items ?? [space]).map((one) => ({
        label: one.name,
        isChosen: one.id === space.id,
        icon: <Check className={one.id === space.id ? 'size-4' : 'size-4 opacity-0'} aria-hidden="true" />,
        onSelect: () => void (one.id === space.id ? undefined : open(one.id)),
      }))}
    />
  );
}
