import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { ownFile } from '../util/own-package.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

const FORMS = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const;

interface Asset {
  readonly body: Buffer;
  readonly type: string;
  readonly tag: string;
  readonly lasting: boolean;
  readonly packed: Map<string, Promise<Buffer>>;
}

/** The built pages, in memory. Only what was there at the start is served: no path of a request reaches the disk. */
export class Assets {
  readonly #files = new Map<string, Asset>();

  constructor(folder = ownFile('dist/console/pages')) {
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const type = TYPES[path.extname(name)];
      if (type === undefined) continue;
      const body = readFileSync(path.join(folder, name));
      const at = `/${name.replaceAll(path.sep, '/')}`;
      const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
      // Vite writes what a file holds into its name.
      this.#files.set(at, { body, type, tag, lasting: at.startsWith('/assets/'), packed: new Map() });
    }
  }

  /** The file of that path; the document of the pages for addresses of pages; undefined for anything else. */
  async answer(request: Request): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    const isPage = !pathname.startsWith('/assets/') && path.posix.extname(pathname) === '';
    const found = this.#files.get(isPage ? '/index.html' : pathname);
    if (!found) return undefined;
    const headers = new Headers({
      'content-type': found.type,
      etag: found.tag,
      vary: 'accept-encoding',
      'cache-control': found.lasting ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
    if (request.headers.get('if-none-match') === found.tag)
      return new Response(undefined, { status: 304, headers });
    const accepted = request.headers.get('accept-encoding') ?? '';
    const form = (['br', 'gzip'] as const).find((it) => new RegExp(`\\b${it}\\b`).test(accepted));
    if (form === undefined || /^(?:image\/png|font\/)/.test(found.type))
      return new Response(new Uint8Array(found.body), { headers });
    headers.set('content-encoding', form);
    const packed = found.packed.get(form) ?? FORMS[form](found.body);
    found.packed.set(form, packed);
    return new Response(new Uint8Array(await packed), { headers });
  }
}
