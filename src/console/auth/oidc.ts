import { randomBytes } from 'node:crypto';
import * as client from 'openid-client';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { OidcSettings } from '../../model/console.js';
import { isLoopback } from '../../util/loopback.js';
import { redactKnown } from '../../util/secrets.js';

const FLOW_MS = 600_000;
/** Maximum of unfinished flows: a flow can be started without being signed in. */
const MAX_FLOWS = 10_000;
const DISCOVERY_TIMEOUT_S = 10;

interface Flow {
  readonly verifier: string;
  readonly nonce: string;
  readonly until: number;
}

/** Sign-in with an OpenID provider: authorization code flow with PKCE, state and nonce. */
export class OidcSignIn {
  readonly #settings: OidcSettings;
  readonly #secret: string | undefined;
  readonly #log: (text: string) => void;
  readonly #flows = new Map<string, Flow>();
  #provider: Promise<client.Configuration> | undefined;

  /** @param log logs why the provider rejected a sign-in or was unavailable, for the operator of the console */
  constructor(settings: OidcSettings, secret: string | undefined, log: (text: string) => void) {
    this.#settings = settings;
    this.#secret = secret;
    this.#log = log;
  }

  /**
   * Starts a flow: where to send the browser, and the state that it must bring back.
   * @param redirectUri address that the provider redirects to
   */
  async begin(
    redirectUri: string,
  ): Promise<{ readonly location: string; readonly state: string; readonly seconds: number }> {
    const provider = await this.#discoveredProvider();
    const [state, verifier, nonce] = [
      randomBytes(32).toString('base64url'),
      client.randomPKCECodeVerifier(),
      client.randomNonce(),
    ];
    const now = Date.now();
    for (const [old, { until }] of this.#flows)
      if (until < now || this.#flows.size >= MAX_FLOWS) this.#flows.delete(old);
    this.#flows.set(state, { verifier, nonce, until: now + FLOW_MS });
    const location = client.buildAuthorizationUrl(provider, {
      redirect_uri: redirectUri,
      scope: this.#settings.scope,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return { location: location.href, state, seconds: FLOW_MS / 1000 };
  }

  /**
   * Finishes a flow. Returns the user's subject at the provider.
   * @param address the redirect URI with the parameters that the provider added
   * @param state the value that the browser kept since `begin`
   * @throws ProductError safety if this browser did not start the flow, or the provider rejects it
   */
  async end(address: URL, state: string | undefined): Promise<string> {
    const flow = state === undefined ? undefined : this.#flows.get(state);
    // A flow can be used only once, even if it fails.
    if (state !== undefined) this.#flows.delete(state);
    if (!flow || flow.until < Date.now()) throw new ProductError('safety', message('console.flow_over'));
    try {
      const provider = await this.#discoveredProvider();
      const tokens = await client.authorizationCodeGrant(provider, address, {
        pkceCodeVerifier: flow.verifier,
        expectedState: state!,
        expectedNonce: flow.nonce,
        idTokenExpected: true,
      });
      return tokens.claims()!.sub;
    } catch (error) {
      this.#logError(error);
      throw new ProductError('safety', message('console.provider_refused'), { cause: error });
    }
  }

  /** Discovers the provider at the first use and after a failure: an unavailable provider must not prevent the start. */
  async #discoveredProvider(): Promise<client.Configuration> {
    this.#provider ??= this.#discover();
    try {
      return await this.#provider;
    } catch (error) {
      this.#provider = undefined;
      this.#logError(error);
      throw new ProductError('safety', message('console.provider_away'), { cause: error });
    }
  }

  /** Logs the cause. The user cannot fix it, so the page only shows a general message. */
  #logError(error: unknown): void {
    const { message: text = String(error), cause } = error as Error;
    const why =
      cause === undefined ? '' : `: ${cause instanceof Error ? cause.message : JSON.stringify(cause)}`;
    this.#log(redactKnown(`${this.#settings.issuer}: ${text}${why}`));
  }

  async #discover(): Promise<client.Configuration> {
    const { issuer, clientId } = this.#settings;
    const address = new URL(issuer);
    const secret = this.#secret;
    const found = await client.discovery(
      address,
      clientId,
      undefined,
      secret === undefined ? client.None() : client.ClientSecretBasic(secret),
      {
        timeout: DISCOVERY_TIMEOUT_S,
        // Plain HTTP on this machine only; the settings reject it for other hosts.
        ...(isLoopback(address.hostname) ? { execute: [client.allowInsecureRequests] } : {}),
      },
    );
    return found;
  }
}
