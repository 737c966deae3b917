import { Module } from '@nestjs/common';
import { ConsoleFiles } from './console-files';
import { ConsoleOriginGuard } from './console-origin.guard';
import { ConsoleSessionController } from './console-session.controller';
import { ConsoleController } from './console.controller';

@Module({
  controllers: [ConsoleSessionController, ConsoleController],
  providers: [ConsoleFiles, ConsoleOriginGuard],
  exports: [ConsoleFiles],
})
export class ConsoleModule {}
