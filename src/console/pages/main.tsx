import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.js';
import { keepFocus } from './parts/focus-keeper.js';
import { appearance, show } from './parts/layout.js';
import { followLinks } from './router.js';
import { askSession } from './session.js';
import { language } from './words/language.js';

show(appearance.value);
effect(() => {
  document.documentElement.lang = language.value === 'zh' ? 'zh-CN' : 'en';
});
followLinks();
keepFocus();
void askSession();
render(<App />, document.getElementById('page')!);
