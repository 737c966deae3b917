import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import type { Ctx } from '@switchyard/contracts';
import type { FastifyReply } from 'fastify';
import { Caller } from '../../routing/caller.decorator';
import { Endpoint } from '../../routing/endpoint.decorator';
import { IdPipe } from '../../routing/id.pipe';
import { CALL_ERRORS } from '../../turn-events/agent-call-errors';
import { inWordsOf, objectsOf } from '../../turn-events/read-json-fields';
import { AgUiProjection } from './ag-ui-projection';
import { TurnStreamer } from '../../turn-events/turn-streamer';
import { RunAgentBody } from './ag-ui.dto';
import { AgUiRuns } from './ag-ui-runs';

/** Field names of a turn's request in terms of a run. */
const NAMES = {
  contents: '(messages)',
  history: '(messages)',
  instructions: '(context)',
  localTools: 'tools',
  output: '(resume[0].payload)',
};

@Controller('ag-ui')
export class AgUiController {
  constructor(
    private readonly runs: AgUiRuns,
    private readonly frames: TurnStreamer,
  ) {}

  @Post(':agentId')
  @Endpoint({
    operationId: 'runAgUiAgent',
    summary: 'AG-UI: run an agent in a thread, or answer its question',
    access: { scope: 'agents:call' },
    raw: true,
    sse: 'Server-sent events of AG-UI 1.0: the data of each is an event, `RUN_STARTED` first, `RUN_FINISHED` or `RUN_ERROR` last.',
    errors: CALL_ERRORS,
    tag: 'ag-ui',
  })
  async run(
    @Caller() ctx: Ctx,
    @Param('agentId', IdPipe) agentId: string,
    @Body() body: RunAgentBody,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { threadId, runId } = body;
    await inWordsOf(NAMES, async () => {
      const run = await this.runs.start(ctx, agentId, body);
      const messages = objectsOf(body.messages, 'messages');
      const projection = new AgUiProjection({ threadId, runId, turnId: run.turnId, from: run.from, messages });
      await this.frames.send(ctx, reply, { ...run, projection });
    });
  }
}
