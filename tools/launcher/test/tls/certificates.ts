import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface Certificate {
  certFile: string;
  keyFile: string;
}

export interface Authority {
  /** File with the certificate to trust. */
  file: string;
  issue(host: string): Certificate;
}

/** A certificate authority of this test's own. */
export function makeAuthority(folder: string, name: string): Authority {
  const root = request(folder, name, [`-addext`, 'basicConstraints=critical,CA:TRUE']);
  return {
    file: root.certFile,
    issue: (host) =>
      request(folder, `${name}-${host}`, [
        ...['-CA', root.certFile, '-CAkey', root.keyFile],
        ...['-addext', `subjectAltName=DNS:${host}`, '-addext', 'basicConstraints=critical,CA:FALSE'],
      ]),
  };
}

function request(folder: string, name: string, more: string[]): Certificate {
  const certFile = join(folder, `${name}.crt`);
  const keyFile = join(folder, `${name}.key`);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile];
  const args = ['req', '-x509', ...key, '-days', '2', '-subj', `/CN=${name}`, '-out', certFile, ...more];
  execFileSync('openssl', args, { stdio: 'pipe' });
  return { certFile, keyFile };
}
