import type { AllowedValue, Field } from '../../../model/field.js';
import {
  DURATION,
  END_TIME,
  FREE_IDENTIFIER,
  fieldTable,
  IDENTIFIER,
  NOT_NEGATIVE,
  TIME,
  TRIAL_END,
  within,
} from '../../wire/field-table.js';

const { must, may } = fieldTable('§2.3');

const TRIAL: readonly AllowedValue[] = [
  { value: 0, meaning: 'no trial' },
  { value: 1, meaning: 'a trial' },
];

/** Element of `productFeatures`. */
const FEATURE_FIELDS: readonly Field[] = [
  must('featureCode', 'String', 'Code of the feature', IDENTIFIER),
  must('featureName', 'String', 'Name of the feature'),
  must('featureValue', 'String', 'What the feature is set to'),
  must('featureValueType', 'String', 'Kind of the value; the platform lists no kinds'),
  must('trial', 'Integer', 'Whether the feature is on trial', { values: TRIAL }),
  must('trialEndDate', 'Date', 'When the trial of the feature ends', TRIAL_END),
];

/** Element of an asset's `products` and of a package's `licenseOrderProductList`. */
export const PRODUCT_FIELDS: readonly Field[] = [
  must('crmProductId', 'String', 'Id of the product instance in the CRM', IDENTIFIER),
  must('parentCrmProductId', 'String', 'Id of its parent (the asset instance) in the CRM', IDENTIFIER),
  must('productUri', 'String', 'Which product: a gmsPid or an appKey', IDENTIFIER),
  must('productName', 'String', 'Name of the product'),
  may('gmsPid', 'String', 'Product identifier of the gmsPid kind', IDENTIFIER),
  may('appKey', 'String', 'Product identifier of the appKey kind', IDENTIFIER),
  must('productType', 'String', 'Kind of product; the platform lists no kinds'),
  may('limitStartDate', 'Long', 'When the product becomes valid', TIME),
  may('limitEndDate', 'Long', 'When the product expires', END_TIME),
  must('limitConcurrent', 'Integer', 'How many nodes may use it at once', NOT_NEGATIVE),
  must('limitTimeDuration', 'Long', 'Usage time that may be accumulated', NOT_NEGATIVE),
  must(
    'strictMatchWhenDelete',
    'Boolean',
    'When deleting: true matches time range and node count exactly, false only the product (the default)',
  ),
  must('trial', 'Integer', 'Whether the product is on trial', { values: TRIAL }),
  must('trialEndDate', 'Integer', 'When the trial ends', TRIAL_END),
  may('passwords', 'String array', 'Passwords of the licences inside the lock', FREE_IDENTIFIER),
  must('timeUnit', 'String', 'Unit of the time bought; the platform lists no units'),
  must('timeUnitQuantity', 'Integer', 'How many of those units', NOT_NEGATIVE),
  must(
    'timeDurationExpression',
    'String',
    'Time bought as years-months-days; a length is better than a date',
    DURATION,
  ),
  may(
    'srcLicenseOrderId',
    'String',
    'Original licence order, only where a new purchase moves the product over from another order',
    IDENTIFIER,
  ),
  within(must('productFeatures', 'object array', 'Features of the product'), () => FEATURE_FIELDS),
];

/** Element of `merchandises` and of `children`. */
export const MERCHANDISE_FIELDS: readonly Field[] = [
  must('crmProductId', 'String', 'Id of the package instance in the CRM', IDENTIFIER),
  must('parentCrmProductId', 'String', 'Id of the parent package instance in the CRM', IDENTIFIER),
  must('merchandiseNum', 'String', 'Number of the package', IDENTIFIER),
  must('merchandiseName', 'String', 'Name of the package'),
  must('parentMerchandiseNum', 'String', 'Number of the parent package', IDENTIFIER),
  must('timeDurationExpression', 'String', 'Time bought with the package', { form: 'time' }),
  within(
    may('children', 'object array', 'Packages inside this one, of the same form'),
    () => MERCHANDISE_FIELDS,
  ),
  within(
    must('licenseOrderProductList', 'object array', 'Products that the package holds'),
    () => PRODUCT_FIELDS,
  ),
];
