import { Module } from '@nestjs/common';
import { LostWorkController } from './lost-work.controller';
import { LostWorkReader } from './lost-work-reader';
import { FailedWorkAudit } from './failed-work-audit';

@Module({ controllers: [LostWorkController], providers: [LostWorkReader, FailedWorkAudit] })
export class OperatorModule {}
