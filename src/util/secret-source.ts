/** The source of a secret, which is read when it is needed and never stored. */
export type SecretSource =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string };

/** A program that prints a secret. */
export interface CommandSource {
  readonly kind: 'command';
  readonly argv: readonly string[];
}
