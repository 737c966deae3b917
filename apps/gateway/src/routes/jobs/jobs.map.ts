import {
  type Class,
  ExecuteSettings,
  OVER_TEXT_BYTES,
  type SubmitJob,
  checkContents,
  isOverTextBytes,
  validatorOf,
} from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';
import { ChatSettings } from '../turns/turns.dto';
import { KnownInputs, type SubmitJobBody } from './jobs.dto';

function hold(type: Class, value: unknown, path: string, closed: boolean): void {
  const [detail] = validatorOf(type, { closed })(value) ?? [];
  if (detail) throw invalid(detail.path === '' ? path : `${path}.${detail.path}`, detail.message);
}

/** Validates as a chat or execute would, when the job is submitted rather than when it runs. */
export function submission(body: SubmitJobBody): SubmitJob {
  const { type, agentId, input, priority, maxAttempts, timeoutSeconds, callbackUrl, metadata } = body;
  if (input.contents) checkContents(input.contents, 'input.contents');
  if (input.inputs) {
    hold(KnownInputs, input.inputs, 'input.inputs', false);
    const { query } = input.inputs;
    if (typeof query === 'string' && isOverTextBytes(query)) throw invalid('input.inputs.query', OVER_TEXT_BYTES);
  }
  if (input.settings) hold(input.contents ? ChatSettings : ExecuteSettings, input.settings, 'input.settings', true);
  return { type, agentId, input, priority, maxAttempts, timeoutSeconds, callbackUrl, metadata };
}
