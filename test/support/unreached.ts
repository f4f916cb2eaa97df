import { subscribe, unsubscribe } from 'node:diagnostics_channel';

export interface Created {
  readonly origin: string | URL;
  readonly path: string;
  readonly body: unknown;
  onError(error: Error): void;
}

/** Published by undici when a request is made, before it looks for a connection. */
const CREATED = 'undici:request:create';

/**
 * Chosen requests of this process meet what they would if no server listened: no byte leaves. Other requests continue.
 * Gives a function that ends that.
 */
export function unreached(chosen: (request: Created) => boolean): () => void {
  const listener = (event: unknown): void => {
    const { request } = event as { readonly request: Created };
    if (!chosen(request)) return;
    request.onError(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
  };
  subscribe(CREATED, listener);
  return () => unsubscribe(CREATED, listener);
}

/** `NODE_OPTIONS` of a program whose requests that hold such a text meet the same. */
export function unreachedInChild(text: RegExp): string {
  const code = `
    import { subscribe } from 'node:diagnostics_channel';
    const text = new RegExp(${JSON.stringify(text.source)});
    subscribe(${JSON.stringify(CREATED)}, ({ request }) => {
      if (!text.test(String(request.body ?? ''))) return;
      request.onError(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    });`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}
