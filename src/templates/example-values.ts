export type Example = string | number | boolean | Date;

const day = (text: string): Date => new Date(`${text}T00:00:00Z`);

/** Believable values by the last part of a field's path; a list gives one value for each example row. */
const BY_NAME: Readonly<Record<string, Example | readonly Example[]>> = {
  channelCode: 'CH01',
  channelOrderId: ['SO-2026-00001', 'SO-2026-00002'],
  syncMode: 'sync',
  customerId: ['LC0001', 'LC0002'],
  crmCustomerId: ['CRM-0001', 'CRM-0002'],
  customerName: ['北京宏图建筑工程有限公司', '上海恒信造价咨询有限公司'],
  channelCustomerId: ['CH-0001', 'CH-0002'],
  defaultCustomer: ['N', 'Y'],
  adminName: ['王芳', '李志强'],
  adminAccount: ['admin0001', 'admin0002'],
  adminEmail: ['admin0001@example.com', 'admin0002@example.com'],
  adminCellNumber: ['13800000001', '13900000002'],
  passwordMobile: ['13800000001', '13900000002'],
  address: ['北京市人民路1号', '上海市中山路2号'],
  customerType: 'company',
  branchCode: ['0011', '0021'],
  branchName: ['北京分公司', '上海分公司'],
  branch: ['北京分公司', '上海分公司'],
  enterpriseName: ['北京宏图主账号', '上海恒信主账号'],
  enterpriseGlobalId: ['ENT-0001', 'ENT-0002'],
  licenseType: 'normal_recover_usbkey',
  assetNos: ['8200000001', '8200000002'],
  assetNums: ['8100000001', '8100000002、8100000003'],
  assetNum: ['8100000001', '8100000002'],
  locked: false,
  limitStartTime: day('2025-01-01'),
  limitEndTime: day('2027-12-31'),
  operatorIdentity: 'ops@example.com',
  size: [5, 10],
  identity: ['13800000001', 'user2@example.com'],
  activityLabel: 'spring-gift-2027',
  source: 'crm.example.com',
  limitStartDate: day('2026-12-01'),
  limitEndDate: day('2027-11-30'),
  crmProductId: ['P-0001', 'P-0002'],
  parentCrmProductId: ['SO-2026-00001', 'SO-2026-00002'],
  productUri: ['P-0001', 'P-0002'],
  productName: ['云计价平台', '土建计量平台'],
  productType: 'software',
  limitConcurrent: [1, 5],
  limitTimeDuration: 0,
  strictMatchWhenDelete: false,
  trial: 0,
  trialEndDate: day('2030-12-31'),
  timeUnit: 'month',
  timeUnitQuantity: 12,
  timeDurationExpression: '1-0-0',
  merchandiseNum: ['M-0001', 'M-0002'],
  merchandiseName: ['造价套餐', '计量套餐'],
  parentMerchandiseNum: ['M-0001', 'M-0002'],
  featureCode: ['F-01', 'F-02'],
  featureName: ['云存储', '协同编辑'],
  featureValue: ['100', '20'],
  featureValueType: 'number',
  extendCode: 'region',
  extendValue: ['北京', '上海'],
  borrowedUsbKey: false,
  transferedAssetNum: false,
};

/** Where a field of one table needs other values than its namesakes, by the last two parts of its path. */
const BY_TABLE: Readonly<Record<string, Example | readonly Example[]>> = {
  'merchandises.crmProductId': ['PK0000001', 'PK0000002'],
  'licenseOrderProductList.crmProductId': ['PI0000101', 'PI0000102'],
  'licenseOrderProductList.parentCrmProductId': ['PK0000001', 'PK0000002'],
  'licenseOrderProductList.productUri': ['P-0011', 'P-0012'],
  'licenseOrderProductList.productName': ['安装计量平台', '市政计量平台'],
};

/** Left empty in examples: rarely needed, or another field's business. */
const RARE: ReadonlySet<string> = new Set(['passwords', 'gmsPid', 'appKey', 'assetExtendList']);

/** Where one operation needs other values than the rest, by operation and field name. */
const BY_OPERATION: Readonly<Record<string, Readonly<Record<string, Example | readonly Example[]>>>> = {
  'enterprise.bind': { channelCustomerId: ['009001', '009002'] },
  'enterprise.create': { crmCustomerId: ['009001', '009002'] },
  'order.new_buy': { assetNos: ['00700001', '00700002'], crmProductId: ['PI0000001', 'PI0000002'] },
  'order.delete_asset': { srcLicenseOrderId: ['LO-SEED-0001', 'LO-SEED-0002'] },
  'order.delete_product': {
    srcLicenseOrderId: ['LO-SEED-0001', 'LO-SEED-0002'],
    crmProductId: ['CRMP-0001-1', 'CRMP-0002-1'],
    // As a product is found by its mnemonic, its own dates and nodes are left out.
    limitConcurrent: 5,
  },
};

/**
 * Example for a field in one of the example rows (0-based); undefined leaves the cell empty.
 * @param path wire path without indexes
 */
export function exampleValue(operation: string, path: string, row: number): Example | undefined {
  const parts = path.split('.');
  if (parts.some((it) => RARE.has(it))) return undefined;
  const name = parts.at(-1) ?? path;
  const table = parts.slice(-2).join('.');
  const found = BY_TABLE[table] ?? BY_OPERATION[operation]?.[name] ?? BY_NAME[name];
  return Array.isArray(found) ? (found[row % found.length] as Example) : (found as Example | undefined);
}
