import { JobCalls, JobView } from '@switchyard/contracts';
import { SubmitJobBody } from '../../../routes/jobs/jobs.dto';
import { submission } from '../../../routes/jobs/jobs.map';
import { defineTool } from '../tool';

export const submitJob = defineTool({
  name: 'submit_job',
  title: 'Submit a background job',
  description: 'Runs an agent in the background; read the job with get_job until its phase is final.',
  calls: JobCalls.submit,
  hints: {},
  input: SubmitJobBody,
  output: JobView,
  run: async (input, { bus, ctx }) => bus.call(JobCalls.submit, ctx, submission(input)),
});
