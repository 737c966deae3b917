import { Module } from '@nestjs/common';
import { LostWorkController } from './lost-work.controller';
import { LostWorkReader } from './lost-work-reader';
import { OperatorAudit } from './operator-audit';

@Module({ controllers: [LostWorkController], providers: [LostWorkReader, OperatorAudit] })
export class OperatorModule {}
