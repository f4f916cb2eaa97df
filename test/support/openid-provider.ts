import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

const CLIENT = { id: 'license-sync-console', secret: 'client-secret-0123456789' } as const;

/** A real OpenID provider, whose users sign in at once as the user who is to be next. */
export interface OpenIdProvider {
  readonly issuer: string;
  readonly client: typeof CLIENT;
  /** The subject that signs in next. */
  next: string;
  /** Begins to serve the console that is reached there. */
  serve(console: string): void;
  close(): Promise<void>;
}

export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  let answer: Parameters<typeof createServer>[1] = (_, response) => response.writeHead(503).end();
  const server: Server = createServer((request, response) =>
    (answer as (...all: unknown[]) => void)(request, response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const it: OpenIdProvider = {
    issuer,
    client: CLIENT,
    next: 'nobody',
    serve(address) {
      const provider = providerOf(issuer, address);
      const callback = provider.callback();
      answer = (request, response) => {
        if (!request.url?.startsWith('/interaction/')) return void callback(request, response);
        void (async () => {
          const { prompt, params, session } = await provider.interactionDetails(request, response);
          const result =
            prompt.name === 'login'
              ? { login: { accountId: it.next } }
              : {
                  consent: { grantId: await grantOf(provider, session!.accountId, String(params.client_id)) },
                };
          await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
        })().catch((error: unknown) => response.writeHead(500).end(String(error)));
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return it;
}

function providerOf(issuer: string, console: string): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${console}/auth/callback`],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    cookies: { keys: ['cookie-key'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
  });
}

async function grantOf(provider: Provider, accountId: string, clientId: string): Promise<string> {
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope('openid');
  return grant.save();
}

/** What a browser does of itself: follows where it is led, and keeps cookies by host and port. */
export class SmallBrowser {
  readonly #jars = new Map<string, Map<string, string>>();

  /** Follows all, up to the first answer that leads nowhere; `until` stops at the first address that it holds for. */
  async open(
    address: string,
    until: (url: URL) => boolean = () => false,
  ): Promise<{ url: URL; answer: Response }> {
    let url = new URL(address);
    for (let step = 0; step < 20; step++) {
      const answer = await fetch(url, { redirect: 'manual', headers: { cookie: this.cookies(url.host) } });
      for (const line of answer.headers.getSetCookie()) this.#keep(url.host, line);
      const location = answer.headers.get('location');
      if (location === null) return { url, answer };
      url = new URL(location, url);
      if (until(url)) return { url, answer };
    }
    throw new Error(`led around in circles: ${url}`);
  }

  cookies(host: string): string {
    return [...(this.#jars.get(host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(host: string, line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const jar = this.#jars.get(host) ?? new Map<string, string>();
    this.#jars.set(host, jar);
    if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
    else jar.set(name, value);
  }
}
