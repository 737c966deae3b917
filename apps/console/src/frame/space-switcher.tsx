import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Check, ChevronsUpDown } from 'lucide-react';
import { auth } from '../session/console-auth';
import { useSession } from '../session/session-context';
import { Logo } from '../ui/logo';
import { Menu } from '../ui/menu';
import { toast } from '../ui/toast';

export function SpaceSwitcher(): ReactNode {
  const { client, space } = useSession();
  const router = useRouter();
  const { data } = useQuery({ queryKey: ['spaces'], queryFn: () => client.spaces.list({ limit: 100 }) });
  const open = async (spaceId: string): Promise<void> => {
    try {
      // First away from what is of this Space: changes that are not saved are asked about while they can be.
      await router.navigate({ to: '/activity' });
      if (router.state.location.pathname !== '/activity') return;
      await auth.switchSpace(spaceId);
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
          <Logo className="size-7 shrink-0" />
          <span className="sr-only">Space:</span>
          <span className="min-w-0 flex-1">
            <span className="block truncate font-semibold">{space.name}</span>
            <span className="block text-xs text-faint">{space.role.toLowerCase()}</span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-faint" aria-hidden="true" />
        </button>
      }
      items={(data?.items ?? [space]).map((one) => ({
        key: one.id,
        label: one.name,
        isChosen: one.id === space.id,
        icon: <Check className={one.id === space.id ? 'size-4' : 'size-4 opacity-0'} aria-hidden="true" />,
        onSelect: () => void (one.id === space.id ? undefined : open(one.id)),
      }))}
    />
  );
}
