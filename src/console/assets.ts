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

const ENCODERS = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const;

interface Asset {
  readonly body: Buffer;
  readonly type: string;
  readonly tag: string;
  readonly immutable: boolean;
  readonly compressed: Map<string, Promise<Buffer>>;
}

/** The built pages, in memory. Only files present at the start are served, so no request path reaches the disk. */
export class Assets {
  readonly #files = new Map<string, Asset>();

  constructor(folder = ownFile('dist/console/pages')) {
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const type = TYPES[path.extname(name)];
      if (type === undefined) continue;
      const body = readFileSync(path.join(folder, name));
      const urlPath = `/${name.replaceAll(path.sep, '/')}`;
      const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
      // Vite puts a hash of the content into these file names.
      this.#files.set(urlPath, {
        body,
        type,
        tag,
        immutable: urlPath.startsWith('/assets/'),
        compressed: new Map(),
      });
    }
  }

  /** The file at the request's path, `index.html` for paths of pages, or undefined. */
  async answer(request: Request): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    const isPage = !pathname.startsWith('/assets/') && path.posix.extname(pathname) === '';
    const asset = this.#files.get(isPage ? '/index.html' : pathname);
    if (!asset) return undefined;
    const headers = new Headers({
      'content-type': asset.type,
      etag: asset.tag,
      vary: 'accept-encoding',
      'cache-control': asset.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
    if (request.headers.get('if-none-match') === asset.tag)
      return new Response(undefined, { status: 304, headers });
    const accepted = request.headers.get('accept-encoding') ?? '';
    const encoding = (['br', 'gzip'] as const).find((it) => new RegExp(`\\b${it}\\b`).test(accepted));
    if (encoding === undefined || /^(?:image\/png|font\/)/.test(asset.type))
      return new Response(new Uint8Array(asset.body), { headers });
    headers.set('content-encoding', encoding);
    const compressed = asset.compressed.get(encoding) ?? ENCODERS[encoding](asset.body);
    asset.compressed.set(encoding, compressed);
    return new Response(new Uint8Array(await compressed), { headers });
  }
}
