import { readdirSync } from 'node:fs';
import { describe, it } from 'vitest';
import { followPage } from './page.js';

const ROOT = new URL('../../', import.meta.url);
const PAGES = ['README.md', ...readdirSync(new URL('docs/', ROOT)).map((it) => `docs/${it}`)].filter((it) =>
  it.endsWith('.md'),
);

describe('what the documentation instructs its reader to do works, and prints what it says', () => {
  it.concurrent.each(PAGES)('%s', followPage);
});
