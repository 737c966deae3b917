import { Module } from '@nestjs/common';
import { ConsoleOriginGuard } from './console-origin.guard';
import { ConsoleSessionController } from './console-session.controller';
import { ConsoleController } from './console.controller';

@Module({
  controllers: [ConsoleSessionController, ConsoleController],
  providers: [ConsoleOriginGuard],
})
export class ConsoleModule {}
