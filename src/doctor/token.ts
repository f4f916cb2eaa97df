import { message } from '../errors/message.js';
import type { Connection } from '../model/connection.js';
import { resolveToken } from '../platform/client/token.js';
import { type DoctorFinding, faultOf, finding } from './step.js';

/** Checks that there is a token. Only its length is shown. */
export async function checkToken(
  { token, name }: Connection,
  env: NodeJS.ProcessEnv,
): Promise<DoctorFinding> {
  try {
    const { length } = (await resolveToken(token, name, env)).reveal();
    switch (token.kind) {
      case 'withheld':
      case 'sandbox':
        return finding('token', 'ok', message('doctor.token_sandbox'));
      case 'env':
        return finding('token', 'ok', message('doctor.token_env', { name: token.name, length }));
      case 'file':
        return finding('token', 'ok', message('doctor.token_file', { path: token.path, length }));
      case 'command':
        return finding(
          'token',
          'ok',
          message('doctor.token_command', { program: token.argv[0] ?? '', length }),
        );
    }
  } catch (error) {
    return faultOf('token', error);
  }
}
