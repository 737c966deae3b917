import { type SubmitJob, validatorOf } from '@switchyard/contracts';
import { invalid } from '@switchyard/kernel';
import { JobChatSettings, JobExecuteSettings, type SubmitJobBody } from './jobs.dto';

/** The body of a submission as the job service takes it; its settings follow what the job is called with. */
export function submission(body: SubmitJobBody): SubmitJob {
  const { type, agentId, input, priority, maxAttempts, timeoutSeconds, callbackUrl, metadata } = body;
  if (input.settings) {
    const details = validatorOf(input.contents ? JobChatSettings : JobExecuteSettings, { closed: true })(
      input.settings,
    );
    const [detail] = details ?? [];
    if (detail) throw invalid(`input.settings${detail.path === '' ? '' : `.${detail.path}`}`, detail.message);
  }
  return { type, agentId, input, priority, maxAttempts, timeoutSeconds, callbackUrl, metadata };
}
