import { describe, expect, it } from 'vitest';
import { styleOf } from '../../src/pages/style.js';

/** WCAG 2: relative luminance of `#rgb` or `#rrggbb`. */
function luminance(colour: string): number {
  const hex = colour.length === 4 ? colour.replace(/[^#]/g, '$&$&') : colour;
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const [light = '', dark = ''] = styleOf('Row')
  .split(/(?=@media screen and \(prefers-color-scheme:dark\))/)
  .map((part) => part.slice(0, part.indexOf('}')));

const coloursOf = (css: string): Record<string, string> =>
  Object.fromEntries([...css.matchAll(/--([\w-]+):(#[0-9a-f]+)/g)].map((it) => [it[1], it[2]]));

describe('the style of a page', () => {
  it.each([
    ['light', coloursOf(light)],
    ['dark', coloursOf(dark)],
  ])('can be read: %s', (_name, colours) => {
    const pairs = [
      ...['ink', 'quiet', 'link', 'good', 'doubt'].flatMap((it) => [
        [it, 'ground'],
        [it, 'card'],
      ]),
      ...['good', 'bad', 'doubt', 'mute'].map((it) => [it, `${it}-soft`]),
      ['ink', 'soft'],
    ];
    const faint = pairs.filter(
      ([ink = '', ground = '']) => contrast(colours[ink] ?? '', colours[ground] ?? '') < 4.5,
    );
    expect(faint).toEqual([]);
    const drawn = ['chart', 'chart-other', 'p50', 'p90', 'p99', 'f-succeeded', 'f-rejected', 'f-invalid'];
    expect(drawn.filter((it) => contrast(colours[it] ?? '', colours.card ?? '') < 3)).toEqual([]);
  });

  it('has the same colours in both', () => {
    expect(Object.keys(coloursOf(light)).sort()).toEqual(Object.keys(coloursOf(dark)).sort());
  });

  it('takes any word into it without ending the text', () => {
    const css = styleOf('"};</style>行');
    expect(css).not.toContain('</style>');
    expect(css).toContain('\\00884c');
    expect(css.split('{').length).toBe(css.split('}').length);
  });
});
