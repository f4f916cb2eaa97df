/** What the tests use of the package, which brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Interaction {
    readonly prompt: { readonly name: 'login' | 'consent' };
    readonly params: Readonly<Record<string, unknown>>;
    readonly session?: { readonly accountId: string };
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { readonly mergeWithLastSubmission: boolean },
    ): Promise<void>;
    readonly Grant: new (of: {
      readonly accountId: string;
      readonly clientId: string;
    }) => { addOIDCScope(scope: string): void; save(): Promise<string> };
  }
}
