import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import type { Answer, Interaction } from '@switchyard/client';
import { CircleQuestionMark, ShieldCheck } from 'lucide-react';
import { textOfAnswer } from './interaction-answer';
import { Button } from './button';
import { classes } from './class-names';
import { CheckField, TextField } from './field';
import { Refusal } from './note';
import { useAction } from './use-action';

interface Props {
  interaction: Interaction;
  onAnswer: (answer: Answer) => Promise<void>;
  /** It is answered, or can no longer be answered. */
  isOver?: boolean;
  /** In place of the calls of an approval. */
  about?: ReactNode;
}

type Send = (answer: Answer) => void;

/** A question or an approval, answered where it stands. */
export function Question({ interaction, onAnswer, isOver = false, about }: Props): ReactNode {
  const { run, isBusy, error } = useAction(onAnswer);
  const heading = useId();
  const send: Send = (answer) => void run(answer);
  const isApproval = interaction.purpose === 'approval';
  const Icon = isApproval ? ShieldCheck : CircleQuestionMark;
  const Form = isApproval && interaction.kind === 'single_choice' ? Approval : Choice;
  return (
    <section aria-labelledby={heading} className="rounded-xl border border-warn/40 bg-warn-soft/50 p-4">
      <div className="flex items-start gap-2.5">
        <Icon className="mt-0.5 size-4.5 shrink-0 text-warn" aria-hidden="true" />
        <p
          id={heading}
          className={classes('min-w-0 flex-1 wrap-anywhere', about ? 'text-lg font-semibold' : 'font-medium')}
          dir="auto"
        >
          {interaction.prompt}
        </p>
      </div>
      {about ?? (interaction.calls && interaction.calls.length > 0 && <Calls calls={interaction.calls} />)}
      {isOver ? <Outcome interaction={interaction} /> : <Form interaction={interaction} send={send} isBusy={isBusy} />}
      <Refusal error={error} className="mt-3" />
    </section>
  );
}

function Outcome({ interaction }: { interaction: Interaction }): ReactNode {
  const words = textOfAnswer(interaction);
  return <p className="mt-2 text-soft">{words === '' ? 'Answered.' : `Answered: ${words}`}</p>;
}

interface FormProps {
  interaction: Interaction;
  send: Send;
  isBusy: boolean;
}

function Approval({ send, isBusy }: FormProps): ReactNode {
  const [reason, setReason] = useState('');
  return (
    <div className="mt-3 grid gap-3">
      <TextField
        label="Reason for denial"
        value={reason}
        onChange={setReason}
        placeholder="Optional, sent to the agent"
      />
      <div className="flex flex-wrap gap-2">
        <Button look="primary" disabled={isBusy} onClick={() => send({ selectedOptionIds: ['approve'] })}>
          Approve
        </Button>
        <Button
          look="danger"
          disabled={isBusy}
          onClick={() => send({ selectedOptionIds: ['deny'], otherText: reason.trim() === '' ? null : reason.trim() })}
        >
          Deny
        </Button>
      </div>
    </div>
  );
}

function Choice({ interaction, send, isBusy }: FormProps): ReactNode {
  const group = useId();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [other, setOther] = useState('');
  const isSingle = interaction.kind === 'single_choice';
  const isApproval = interaction.purpose === 'approval';
  const own = other.trim();
  const choose = (id: string, isOn: boolean): void => {
    if (isSingle) {
      setChosen([id]);
      setOther('');
    } else setChosen(isOn ? [...chosen, id] : chosen.filter((one) => one !== id));
  };
  const [isRequested, setRequested] = useState(false);
  const least = interaction.minSelections ?? (isApproval ? 0 : 1);
  const isEnough = chosen.length + (own === '' ? 0 : 1) >= least;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    setRequested(!isEnough);
    if (!isEnough) return;
    send({ selectedOptionIds: isSingle && own !== '' ? [] : [...chosen], otherText: own === '' ? null : own });
  };
  return (
    <form className="mt-3 grid gap-3" onSubmit={submit}>
      <fieldset className="grid gap-2">
        <legend className="sr-only">{interaction.prompt}</legend>
        {interaction.options.map(({ id, label, description }) => (
          <CheckField
            key={id}
            type={isSingle ? 'radio' : 'checkbox'}
            name={group}
            label={label}
            hint={description}
            checked={chosen.includes(id)}
            onChange={(isOn) => choose(id, isOn)}
          />
        ))}
      </fieldset>
      {isApproval && (
        <p className="text-sm text-soft">
          {chosen.length === 0
            ? 'None is selected: all calls are denied.'
            : 'Selected calls run. Calls that are not selected are denied.'}
        </p>
      )}
      {interaction.allowOther && (
        <TextField
          label={isApproval ? 'Reason for denial' : 'Other'}
          value={other}
          onChange={(value) => {
            setOther(value);
            if (isSingle && value.trim() !== '') setChosen([]);
          }}
          placeholder={isApproval ? 'Optional, sent to the agent' : 'In your own words'}
        />
      )}
      {isRequested && !isEnough && (
        <p role="alert" className="text-sm text-bad">
          {isSingle ? 'Choose one.' : `Choose at least ${least === 1 ? 'one' : least}.`}
        </p>
      )}
      <div>
        <Button type="submit" look="primary" isBusy={isBusy}>
          Answer
        </Button>
      </div>
    </form>
  );
}

/** The exact command that would run. */
function Calls({ calls }: { calls: NonNullable<Interaction['calls']> }): ReactNode {
  return (
    <div className="mt-3 grid gap-3">
      {calls.map((call) => (
        <div key={call.call_id} className="rounded-lg border border-line bg-surface p-3">
          <p className="font-mono text-sm font-semibold break-all">{call.name}</p>
          <dl className="mt-2 grid gap-1 text-sm">
            {Object.entries(call.arguments as Record<string, unknown>).map(([name, value]) => (
              <div key={name} className="grid grid-cols-[8rem_1fr] gap-3 max-sm:grid-cols-1 max-sm:gap-0">
                <dt className="wrap-anywhere text-faint">{name}</dt>
                <dd className="min-w-0 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap">
                  {typeof value === 'string' ? value : JSON.stringify(value, null, 1)}
                </dd>
              </div>
            ))}
          </dl>
          <p className="mt-2 text-xs text-faint" title="SHA-256 of the arguments">
            Digest <span className="font-mono break-all">{call.digest}</span>
          </p>
        </div>
      ))}
    </div>
  );
}
