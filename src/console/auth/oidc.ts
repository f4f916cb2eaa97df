import { randomBytes } from 'node:crypto';
import * as client from 'openid-client';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { OidcSettings } from '../../model/console.js';
import { redactKnown } from '../../util/known-secrets.js';
import { isLoopback } from '../../util/loopback.js';

const FLOW_MS = 600_000;
/** Ways that were begun and not ended, at most: whoever isn't signed in may begin one. */
const MOST_FLOWS = 10_000;
const ASKED_WITHIN_S = 10;

interface Flow {
  readonly verifier: string;
  readonly nonce: string;
  readonly until: number;
}

/** Signing in at an OpenID provider: the code flow with PKCE, state and nonce. */
export class OidcSignIn {
  readonly #settings: OidcSettings;
  readonly #secret: string | undefined;
  readonly #told: (text: string) => void;
  readonly #flows = new Map<string, Flow>();
  #provider: Promise<client.Configuration> | undefined;

  /** @param told hears why the provider refused, or wasn't there: for whoever runs the console */
  constructor(settings: OidcSettings, secret: string | undefined, told: (text: string) => void) {
    this.#settings = settings;
    this.#secret = secret;
    this.#told = told;
  }

  /**
   * Where the browser goes, and what it must bring back from there.
   * @param back address that the provider leads back to
   */
  async begin(
    back: string,
  ): Promise<{ readonly location: string; readonly state: string; readonly seconds: number }> {
    const provider = await this.#discovered();
    const [state, verifier, nonce] = [
      randomBytes(32).toString('base64url'),
      client.randomPKCECodeVerifier(),
      client.randomNonce(),
    ];
    const now = Date.now();
    for (const [old, { until }] of this.#flows)
      if (until < now || this.#flows.size >= MOST_FLOWS) this.#flows.delete(old);
    this.#flows.set(state, { verifier, nonce, until: now + FLOW_MS });
    const location = client.buildAuthorizationUrl(provider, {
      redirect_uri: back,
      scope: this.#settings.scope,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return { location: location.href, state, seconds: FLOW_MS / 1000 };
  }

  /**
   * Who came back, by the subject that the provider gives them.
   * @param address with what the provider has added to `back`
   * @param state what the browser kept since `begin`
   * @throws ProductError safety where it isn't the way that this browser had begun, or the provider refuses
   */
  async end(address: URL, state: string | undefined): Promise<string> {
    const flow = state === undefined ? undefined : this.#flows.get(state);
    // Once only, whatever comes of it.
    if (state !== undefined) this.#flows.delete(state);
    if (!flow || flow.until < Date.now()) throw new ProductError('safety', message('console.flow_over'));
    try {
      const provider = await this.#discovered();
      const tokens = await client.authorizationCodeGrant(provider, address, {
        pkceCodeVerifier: flow.verifier,
        expectedState: state!,
        expectedNonce: flow.nonce,
        idTokenExpected: true,
      });
      return tokens.claims()!.sub;
    } catch (error) {
      this.#tell(error);
      throw new ProductError('safety', message('console.provider_refused'), { cause: error });
    }
  }

  /** Asked when it is needed first, and again where that failed: a provider that is away for now is no reason not to start. */
  async #discovered(): Promise<client.Configuration> {
    this.#provider ??= this.#discover();
    try {
      return await this.#provider;
    } catch (error) {
      this.#provider = undefined;
      this.#tell(error);
      throw new ProductError('safety', message('console.provider_away'), { cause: error });
    }
  }

  /** Whoever sits at the page can do nothing about it, and is told no more than that. */
  #tell(error: unknown): void {
    const { message: text = String(error), cause } = error as Error;
    const why =
      cause === undefined ? '' : `: ${cause instanceof Error ? cause.message : JSON.stringify(cause)}`;
    this.#told(redactKnown(`${this.#settings.issuer}: ${text}${why}`));
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
        timeout: ASKED_WITHIN_S,
        // In the clear on this machine only; the settings refuse others.
        ...(isLoopback(address.hostname) ? { execute: [client.allowInsecureRequests] } : {}),
      },
    );
    return found;
  }
}
