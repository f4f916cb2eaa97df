import { signal } from '@preact/signals';

export const APPEARANCES = ['system', 'light', 'dark'] as const;
export type Appearance = (typeof APPEARANCES)[number];

const KEPT = 'license-sync.appearance';

/** Light or dark, as this browser was told; by default as its system is. */
export const appearance = signal<Appearance>(kept());

export function chooseAppearance(chosen: Appearance): void {
  appearance.value = chosen;
  show(chosen);
  try {
    localStorage.setItem(KEPT, chosen);
  } catch {
    // Shown for as long as the page is open.
  }
}

/** The style looks at the attribute; without one, at the system. */
export function show(chosen: Appearance): void {
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

function kept(): Appearance {
  try {
    const found = localStorage.getItem(KEPT);
    return APPEARANCES.find((it) => it === found) ?? 'system';
  } catch {
    return 'system';
  }
}
