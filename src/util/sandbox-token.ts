/** What a sandbox connection presents as its token. No secret: the simulated platform protects nothing. */
export const SANDBOX_TOKEN = 'sandbox-token';
