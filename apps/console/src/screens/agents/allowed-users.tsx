import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useClient, useMay, useSession } from '../../session/session-context';
import { AreaField, CheckField } from '../../ui/field';

interface Props {
  /** Ids, one a line. */
  value: string;
  onChange: (value: string) => void;
  problem: string | undefined;
  disabled: boolean;
}

const MOST = 100;

/** Members by their address, for those who may list them; ids for the others. */
export function AllowedUsers({ value, onChange, problem, disabled }: Props): ReactNode {
  const client = useClient();
  const { space } = useSession();
  const mayList = useMay('ADMIN');
  const { data } = useQuery({
    queryKey: ['members', space.id, 'first'],
    queryFn: () => client.spaces.members(space.id, { limit: MOST }),
    enabled: mayList,
    staleTime: 30_000,
  });
  const chosen = value.split(/[\s,]+/u).filter((id) => id !== '');
  const members = data?.items.filter(({ status }) => status === 'ACTIVE') ?? [];
  // Someone who is not on this list could not be shown: then all are shown by their ids.
  const areAllListed = data?.nextCursor === null && chosen.every((id) => members.some(({ userId }) => userId === id));
  if (!areAllListed)
    return (
      <AreaField
        label="User ids"
        className="sm:col-span-2"
        isCode
        value={value}
        onChange={onChange}
        problem={problem}
        disabled={disabled}
      />
    );
  return (
    <fieldset className="grid max-h-48 gap-1.5 overflow-auto rounded-lg border border-line p-2.5 sm:col-span-2">
      <legend className="px-1 text-sm font-medium">People</legend>
      {members.map(({ userId, email }) => (
        <CheckField
          key={userId}
          label={email}
          checked={chosen.includes(userId)}
          onChange={(isOn) => onChange((isOn ? [...chosen, userId] : chosen.filter((id) => id !== userId)).join('\n'))}
          disabled={disabled}
        />
      ))}
      {problem !== undefined && <p className="text-sm text-bad">{problem}</p>}
    </fieldset>
  );
}
