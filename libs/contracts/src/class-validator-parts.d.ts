/**
 * The parts of class-validator that declare fields. Its front door loads every validator that it has and a library of
 * telephone numbers, 320 files, at each start of a service.
 */
declare module 'class-validator/cjs/decorator/common/ValidateBy' {
  export { ValidateBy } from 'class-validator';
}
declare module 'class-validator/cjs/decorator/common/ValidateIf' {
  export { ValidateIf } from 'class-validator';
}
declare module 'class-validator/cjs/metadata/MetadataStorage' {
  export { getMetadataStorage } from 'class-validator';
}
