import { Module } from '@nestjs/common';
import { TurnsModule } from '../../routes/turns/turns.module';
import { ChatCompletionsController } from './chat-completions.controller';
import { ModelsController } from './models.controller';
import { OpenAiTurns } from './openai-turns';
import { ResponsesController } from './responses.controller';
import { PartialResponseCache } from './partial-response-cache';

@Module({
  imports: [TurnsModule],
  controllers: [ModelsController, ResponsesController, ChatCompletionsController],
  providers: [OpenAiTurns, PartialResponseCache],
})
export class OpenAiModule {}
