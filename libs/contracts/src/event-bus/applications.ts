import { PageRequest } from '../define/shapes';
import { Field } from '../fields/field';
import { f } from '../fields/spec';
import { Oversized } from '../oversized';
import { SIZES } from '../sizes';
import { Manifest } from './manifest';

export class InstallApplication {
  @Field(f.object(() => Manifest, { bytes: SIZES.manifest })) manifest!: Manifest;
}

export class UpgradeApplication {
  @Field(f.id()) id!: string;
  @Field(f.object(() => Manifest, { bytes: SIZES.manifest })) manifest!: Manifest;
}

export class ListApplications extends PageRequest {
  @Field(f.text({ min: 1, max: 63 }), { optional: true }) identifier?: string;
}

export class ApplicationView {
  @Field(f.id()) id!: string;
  @Field(f.text()) identifier!: string;
  @Field(f.text()) name!: string;
  @Field(f.text()) version!: string;
  @Field(f.oneOf(['INSTALLED'] as const)) status!: 'INSTALLED';
  @Field(f.object(() => Manifest)) manifest!: Manifest;
  @Field(f.id(), { nullable: true, description: 'The record of the system key; its value is shown once.' })
  systemKeyId!: string | null;
  @Field(f.id(), { nullable: true }) installedBy!: string | null;
  @Field(f.time()) createdAt!: string;
  @Field(f.time()) updatedAt!: string;
  @Field(f.object(() => Oversized), { optional: true }) oversized?: Oversized;
}

/** Reply of an installation or a rotation: the key's value is only shown here. */
export class ApplicationWithKey extends ApplicationView {
  @Field(f.text(), { secret: true, optional: true, description: 'Absent when the answer is an idempotent replay.' })
  systemApiKey?: string;
}
