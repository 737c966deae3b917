import type { ReactNode } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../session/session-context';
import { Button } from '../../ui/button';
import { compactNumber, number } from '../../ui/format';
import { toast } from '../../ui/toast';

/** How full the model's window is, and a way to make room in it. */
export function ContextMeter({
  agentId,
  sessionId,
  isBusy,
}: {
  agentId: string;
  sessionId: string;
  isBusy: boolean;
}): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ['context', sessionId],
    queryFn: () => client.sessions.contextStatus(agentId, sessionId),
  });
  const compact = useMutation({
    mutationFn: () => client.sessions.compact(agentId, sessionId),
    onSuccess: (done) => {
      queries.setQueryData(['context', sessionId], done);
      toast.done(
        done.compacted
          ? `Compacted: ${number(done.tokens_before)} tokens became ${number(done.tokens_after)}.`
          : 'Nothing to compact yet.',
      );
    },
    onError: toast.failed,
  });
  if (!data || data.max_tokens === 0) return null;
  const share = Math.min(1, data.used_tokens / data.max_tokens);
  const words = `${compactNumber(data.used_tokens)} of ${compactNumber(data.max_tokens)} tokens`;
  return (
    <div className="flex items-center gap-2">
      <div
        className="grid gap-1"
        title={`${number(data.used_tokens)} of ${number(data.max_tokens)} tokens of ${data.model}`}
      >
        <span className="text-xs whitespace-nowrap text-faint">{words}</span>
        <div
          role="meter"
          aria-label="Context"
          aria-valuemin={0}
          aria-valuemax={data.max_tokens}
          aria-valuenow={data.used_tokens}
          aria-valuetext={words}
          className="h-1 overflow-hidden rounded-full bg-line"
        >
          <div
            className={share > 0.8 ? 'h-full bg-warn' : 'h-full bg-accent'}
            style={{ width: `${Math.max(1, share * 100)}%` }}
          />
        </div>
      </div>
      <Button size="small" disabled={isBusy} isBusy={compact.isPending} onClick={() => compact.mutate()}>
        Compact
      </Button>
    </div>
  );
}
