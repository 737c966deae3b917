import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Agent, McpTool } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Json } from '../../ui/json';
import { Note, Refusal } from '../../ui/note';
import { Section } from '../../ui/page';
import { ErrorState, Loading } from '../../ui/states';
import { useAction } from '../../ui/use-action';

const WITHHELD = {
  changed: 'Changed since it was approved',
  new: 'New, not approved yet',
} as const;

/** Tools that the servers offer now. The model does not get an unapproved definition. */
export function McpTools({ agent, mayApprove }: { agent: Agent; mayApprove: boolean }): ReactNode {
  const client = useClient();
  // Another version may have other servers.
  const queryKey = ['agent', agent.id, 'mcp', agent.version];
  const tools = useQuery({ queryKey, queryFn: () => client.agents.mcpTools(agent.id), staleTime: 60_000 });
  const approve = useAction((server: string) => client.agents.approveMcpTools(agent.id, { server }), {
    changes: [queryKey],
    done: 'Tools approved.',
  });
  return (
    <Section
      title="MCP tools"
      actions={
        <Button size="small" isBusy={tools.isFetching} onClick={() => void tools.refetch()}>
          Refresh
        </Button>
      }
    >
      <div className="grid gap-4">
        <Refusal error={approve.error} />
        {tools.error && <ErrorState error={tools.error} onRetry={() => void tools.refetch()} />}
        {tools.isPending && <Loading label="Loading the tools" />}
        {tools.data &&
          agent.mcpServers.map(({ name }) => {
            const offered = tools.data.data.filter(({ server }) => server === name);
            const unavailable = tools.data.unavailable.filter(({ server }) => server === name);
            const missing = unavailable.find(({ tool }) => tool === undefined);
            const isWithheld = offered.some(({ withheld }) => withheld !== undefined);
            return (
              <section key={name} aria-label={name}>
                <div className="mb-2 flex items-center gap-2">
                  <h3 className="min-w-0 flex-1 font-mono text-sm font-medium break-all">{name}</h3>
                  {mayApprove && isWithheld && (
                    <Button
                      size="small"
                      isBusy={approve.isBusy}
                      aria-label={`Approve the tools of ${name}`}
                      onClick={() => void approve.run(name)}
                    >
                      Approve as shown
                    </Button>
                  )}
                </div>
                {unavailable.map(({ tool, reason }) => (
                  <Note key={tool ?? ''} tone="warn">
                    {tool === undefined ? 'Not available' : `${tool} is not available`}: {reason}
                  </Note>
                ))}
                {!missing && offered.length === 0 && <p className="text-faint">No tools.</p>}
                <ul className="grid gap-2">
                  {offered.map((tool) => (
                    <OneTool key={tool.name} tool={tool} />
                  ))}
                </ul>
              </section>
            );
          })}
      </div>
    </Section>
  );
}

const OneTool = ({ tool }: { tool: McpTool }): ReactNode => (
  <li>
    <details className="rounded-lg border border-line">
      <summary className="px-3 py-2">
        <span className="font-mono text-sm break-all">{tool.name}</span>{' '}
        {tool.withheld === undefined ? (
          !tool.allowed && <Badge>not allowed</Badge>
        ) : (
          <Badge tone="warn">{WITHHELD[tool.withheld]}</Badge>
        )}
        {tool.description !== null && (
          <span className="block text-sm wrap-anywhere text-soft" dir="auto">
            {tool.description}
          </span>
        )}
      </summary>
      <div className="border-t border-line p-3">
        <Json label={`Input of ${tool.name}`} value={tool.inputSchema} />
      </div>
    </details>
  </li>
);
