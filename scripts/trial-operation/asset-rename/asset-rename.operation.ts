import { message } from '../../../errors/message.js';
import { isObject } from '../../../model/json.js';
import { columnsOf } from '../shared/records.js';
import { singleOperation } from '../shared/single-operation.js';
import { RENAME_ENDPOINT } from './asset-rename.endpoint.js';

const COLUMNS = ['assetLabel', 'timesRenamed'];

export const ASSET_RENAME = singleOperation({
  name: 'asset.rename',
  purpose: 'Gives assets labels',
  endpoint: RENAME_ENDPOINT,
  repeatable: false,
  key: ['renamedAsset', 'assetLabel'],
  reversal: { kind: 'none', reason: message('way_back.values_untold') },
  namesAssets: ['renamedAsset'],
  resultColumns: COLUMNS,
  outcome: (reply) => ({
    status: 'succeeded',
    code: '0',
    columns: isObject(reply) ? columnsOf(reply, COLUMNS) : {},
  }),
});
