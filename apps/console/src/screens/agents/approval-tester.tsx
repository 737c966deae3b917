import { type ReactNode, useState } from 'react';
import type { Agent, ApprovalCheck, ApprovalVerdict } from '@switchyard/client';
import { useClient } from '../../session/session-context';
import { Button } from '../../ui/button';
import { problemOf } from '../../ui/errors';
import { TextField } from '../../ui/field';
import { JsonField, asObject } from '../../ui/json';
import { Note, Refusal } from '../../ui/note';
import { useAction } from '../../ui/use-action';
import { rowsIn } from './structure-rows';

/** Asks the platform which rules a call would match: those that are being edited, and those of the Space. */
export function ApprovalTester({ agent, rules }: { agent: Agent; rules: string }): ReactNode {
  const client = useClient();
  const [tool, setTool] = useState('write_dataset');
  const [args, setArgs] = useState('{\n  "operation": "delete"\n}');
  const [verdict, setVerdict] = useState<ApprovalVerdict | null>(null);
  const check = useAction(async () => {
    setVerdict(null);
    const approvals = rowsIn(rules) as ApprovalCheck['approvals'] | null;
    const call = { tool, arguments: asObject(args) ?? {}, ...(approvals ? { approvals } : {}) };
    setVerdict(await client.agents.checkApproval(agent.id, call));
  });
  return (
    <section aria-label="Test the rules" className="grid gap-3 rounded-lg bg-sunken p-3">
      <h3 className="text-sm font-semibold">Test the rules</h3>
      <TextField label="Tool to test" isCode value={tool} onChange={setTool} problem={problemOf(check.error, 'tool')} />
      <JsonField
        label="Arguments"
        rows={3}
        value={args}
        onChange={setArgs}
        problem={asObject(args) === null ? 'Must be a JSON object.' : problemOf(check.error, 'arguments')}
      />
      <div>
        <Button
          size="small"
          isBusy={check.isBusy}
          disabled={asObject(args) === null || tool === ''}
          onClick={() => void check.run()}
        >
          Test
        </Button>
      </div>
      <Refusal error={check.error} />
      {verdict && <Verdict verdict={verdict} />}
    </section>
  );
}

const APPROVER = {
  USER: 'The user of the turn',
  ADMIN: 'An admin',
  OTHER: 'A member other than the user of the turn',
  OTHER_ADMIN: 'An admin other than the user of the turn',
};

function Verdict({ verdict: { by, matches, question, digest } }: { verdict: ApprovalVerdict }): ReactNode {
  if (by === null) return <Note tone="good">No rule matches: the call runs at once.</Note>;
  return (
    <Note tone="warn">
      <p className="font-medium">{APPROVER[by]} has to approve this call.</p>
      <ul className="mt-1 list-disc pl-5 text-sm">
        {matches.map(({ from, index, rule }) => (
          <li key={`${from}-${index}`}>
            Rule {index + 1} of {from === 'AGENT' ? 'this agent' : 'the Space'}:{' '}
            <span className="font-mono text-xs break-all">{JSON.stringify(rule)}</span>
          </li>
        ))}
      </ul>
      {question && (
        <p className="mt-1 text-sm">
          The person reads: “{question.prompt}” and chooses {question.options.map(({ label }) => label).join(' or ')}.
        </p>
      )}
      <p className="mt-1 font-mono text-xs break-all" title="SHA-256 of the arguments">
        {digest}
      </p>
    </Note>
  );
}
