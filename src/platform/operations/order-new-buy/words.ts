import { ORDER_WORDS } from '../order/words.js';
import { PRODUCT_WORDS } from '../order/words-products.js';
import { NOT, type OperationWords } from '../shared/words.js';

/** Fields that only a purchase has. */
const BOUGHT: readonly string[] = [
  'productType',
  'parentCrmProductId',
  'timeUnit',
  'timeUnitQuantity',
  'timeDurationExpression',
  'limitTimeDuration',
  'trial',
  'trialEndDate',
  'merchandiseNum',
  'merchandiseName',
  'featureCode',
  'featureName',
];

export const NEW_BUY_WORDS: OperationWords = {
  purpose: '新购下单',
  shared: [ORDER_WORDS, PRODUCT_WORDS],
  examples: { assetNos: ['00700001', '00700002'], crmProductId: ['PI0000001', 'PI0000002'] },
  task: 'buy',
  clues: {
    rank: 7,
    pattern: new RegExp(
      `\\b(?:new ?buys?|purchas(?:e|es|ed|ing)|buy(?:s|ing)?|bought|new (?:orders?|licen[cs]es?|subscriptions?|sales?)|` +
        `procur(?:e|ed|ement)|sales orders?|to order)\\b|` +
        `${NOT}(?:新购|采购|购买|订购|新订单|新开|开通|增购|加购|下单|新增授权|新授权|销售订单)(?!人|方|者|单位|日期|时间)`,
      'giu',
    ),
  },
  onlyWhenNamed: true,
  essential: ['assetNos', 'productName', 'productUri', 'merchandiseNum', 'merchandiseName', 'licenseType'],
  own: { some: { of: BOUGHT, least: 3 }, share: 0.6 },
};
