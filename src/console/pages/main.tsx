import { render } from 'preact';
import { App } from './app.js';
import { appearance, show } from './appearance.js';
import { followLinks } from './router.js';
import { askSession } from './session.js';

show(appearance.value);
followLinks();
void askSession();
render(<App />, document.getElementById('page')!);
