import { PageRequest } from '../define/common-shapes';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { Oversized } from '../oversized-fields';
import { SIZES } from '../input-size-limits';
import { Manifest } from './manifest';

@Described('Installs or upgrades an application.')
export class InstallApplication {
  @Field(f.object(() => Manifest, { bytes: SIZES.manifest }), { description: 'The manifest of the application.' })
  manifest!: Manifest;
}

export class UpgradeApplication {
  @Field(f.id()) id!: string;
  @Field(f.object(() => Manifest, { bytes: SIZES.manifest })) manifest!: Manifest;
}

export class ListApplications extends PageRequest {
  @Field(f.text({ min: 1, max: 63 }), { optional: true, description: 'Only the application with this identifier.' })
  identifier?: string;
  @Field(f.queryBool(), { optional: true, description: 'false leaves out what belongs to the platform itself.' })
  platform?: boolean;
}

@Described('An installed application.')
export class ApplicationView {
  @Field(f.id()) id!: string;
  @Field(f.text(), { description: 'Identifier of the application, unique in the Space.' }) identifier!: string;
  @Field(f.text()) name!: string;
  @Field(f.text(), { description: 'Version of the installed manifest.' }) version!: string;
  @Field(f.oneOf(['INSTALLED'] as const), { description: 'Always `INSTALLED`.' }) status!: 'INSTALLED';
  @Field(f.object(() => Manifest), { description: 'The manifest as installed.' }) manifest!: Manifest;
  @Field(f.id(), { nullable: true, description: 'The record of the system key; its value is shown once.' })
  systemKeyId!: string | null;
  @Field(f.id(), { nullable: true, description: 'Id of the user who installed it; null if that user is not known.' })
  installedBy!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time()) updatedAt!: string;
  @Field(f.object(() => Oversized), { optional: true }) oversized?: Oversized;
}

@Described('An installed application with the value of its key, which is shown once.')
export class ApplicationWithKey extends ApplicationView {
  @Field(f.text(), { secret: true, optional: true, description: 'Absent when the answer is an idempotent replay.' })
  systemApiKey?: string;
}
