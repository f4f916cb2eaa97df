import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AppContext } from '../../src/app/context.js';
import { type ImportExecutor, ServedImports } from '../../src/app/imports/served-imports.js';
import { message } from '../../src/errors/message.js';
import { ImportFixture } from '../support/imports.js';
import { instead } from '../support/instead.js';
import { orderRows } from '../support/orders.js';

let fixture: ImportFixture;

beforeEach(async () => {
  fixture = await ImportFixture.open();
});
afterEach(() => fixture.close());

it('an import whose check ends while it is looked at is never reported as it was before that check', async () => {
  const id = await fixture.import('orders.csv', orderRows(2));
  const { ledger, folder } = fixture.console;
  let under = true;
  /** The check ends, in vain, just after the import was read. */
  const imports = instead(ledger.imports, {
    async get(it) {
      const read = await ledger.imports.get(it);
      if (under) await ledger.imports.patch(it, { failure: [message('imports.not_checked')] });
      under = false;
      return read;
    },
  });
  const served = instead(ledger, { imports });
  const carrier: ImportExecutor = {
    check() {},
    checking: () => (under ? {} : undefined),
    makeCells: async () => {},
  };
  const servedImports = new ServedImports(ledger.stateFolder, carrier);
  const context: AppContext = {
    env: process.env,
    cwd: folder,
    language: 'en',
    opened: async () => served,
  };
  try {
    expect(await servedImports.show(context, id, true)).toMatchObject({
      state: 'checked',
      checkingAgain: true,
    });
    expect(await servedImports.show(context, id, true)).toMatchObject({
      state: 'failed',
      checkingAgain: false,
    });
  } finally {
    await servedImports.close();
  }
});
