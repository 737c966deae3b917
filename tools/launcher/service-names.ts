// Straight from its file: the library's door would load every contract of the platform into the launcher.
export { SERVICES, type ServiceName } from '../../libs/contracts/src/services';
