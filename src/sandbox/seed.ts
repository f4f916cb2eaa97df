import type { Asset, Product, State } from '../platform/simulated/state.js';

/**
 * The initial data of a sandbox, the same on every start, so that sample jobs can name it:
 *
 * - enterprises `ENT-0001`…`ENT-0200`, each with its default customer: customer id `CU-0001`…, CRM number `CRM-0001`…,
 *   bound as channel customer `CH-0001`… of channel `CH01`; names by `seedCustomerName(n)`.
 *   Enterprises 1 to 60 have a second, industry-information customer (`CU-0001-GX`, not the default).
 * - locks `8100000001`…`8100000200`, of enterprises 1 to 40 in turn, by `seedLock(n)`:
 *   1-60 standalone and 61-120 network locks that are recoverable; 121-150 of types that cannot be disabled or enabled
 *   (status 4); 151-160 frozen (status 3); 161-180 large-customer locks; 181-200 recoverable and locked already.
 * - cloud assets `8500000001`…`8500000300`, five of each enterprise 1 to 60, by `seedCloudAsset(enterprise, k)`; the
 *   first has the extension `gxxp`. Each came with order `LO-SEED-CLOUD-0001`… (one per enterprise).
 * - assets to delete `8200000001`…`8200000120` from orders `LO-SEED-0001`…`LO-SEED-0120` of customers 1 to 120, by
 *   `seedDeletable(n)`: 1-80 recoverable locks, 81-100 certificates, 101-120 cloud accounts. Each has two products
 *   (`P-0001`…`P-0020` and `P-0021`…`P-0040`), with 2025-01-01 to the end of 2027-12-31 (UTC+8) and 5 nodes.
 */
export const SEED = {
  channelCode: 'CH01',
  customers: 200,
  secondCustomers: 60,
  locks: 200,
  lockEnterprises: 40,
  cloudEnterprises: 60,
  cloudAssetsEach: 5,
  deletables: 120,
  /** Milliseconds since 1970 of 2025-01-01 00:00:00 and 2027-12-31 23:59:59.999, UTC+8. */
  validFrom: Date.UTC(2024, 11, 31, 16),
  validUntil: Date.UTC(2027, 11, 31, 16) - 1,
  nodes: 5,
} as const;

const CREATED = Date.UTC(2024, 0, 1, 0, 30);

const four = (number: number) => String(number).padStart(4, '0');
const cyclic = (number: number, count: number) => ((number - 1) % count) + 1;
const pick = (list: readonly string[], index: number) => list[index % list.length]!;

const CITIES = ['北京', '上海', '杭州', '成都', '西安', '武汉', '南京', '广州', '深圳', '青岛'];
const WORDS = ['启明', '恒信', '中诚', '远大', '宏图', '瑞安', '天工', '鼎盛', '新宇', '众联'];
const TRADES = ['建设工程有限公司', '工程造价咨询有限公司'];

export const seedEnterpriseId = (n: number) => `ENT-${four(n)}`;
const seedCustomerId = (n: number) => `CU-${four(n)}`;
export const seedCrmCustomerId = (n: number) => `CRM-${four(n)}`;
export const seedChannelCustomerId = (n: number) => `CH-${four(n)}`;
/** `北京启明建设工程有限公司` for 1; different for each of 1 to 200. */
export function seedCustomerName(n: number): string {
  const index = n - 1;
  return pick(CITIES, index) + pick(WORDS, Math.floor(index / 10)) + pick(TRADES, Math.floor(index / 100));
}

const OTHER_TYPES = [
  'normal_unrecover_usbkey',
  'normal_unrecover_lan_usbkey',
  'identity_usbkey',
  'identity_lan_usbkey',
  'softkey',
  'lan_softkey',
];

interface SeedLock {
  readonly assetNum: string;
  readonly licenseType: string;
  readonly enterpriseGlobalId: string;
  readonly frozen: boolean;
  readonly locked: boolean;
  readonly large: boolean;
}

/** Lock n of 1 to 200. */
export function seedLock(n: number): SeedLock {
  const large = n > 160 && n <= 180;
  let licenseType = n % 2 === 0 ? 'normal_recover_lan_usbkey' : 'normal_recover_usbkey';
  if (n <= 120) licenseType = n <= 60 ? 'normal_recover_usbkey' : 'normal_recover_lan_usbkey';
  else if (n <= 150) licenseType = pick(OTHER_TYPES, n - 121);
  else if (large) licenseType = n % 2 === 0 ? 'lk_auth_usbkey' : 'lk_product_usbkey';
  return {
    assetNum: String(8_100_000_000 + n),
    licenseType,
    enterpriseGlobalId: seedEnterpriseId(cyclic(n, SEED.lockEnterprises)),
    frozen: n > 150 && n <= 160,
    locked: n > 180,
    large,
  };
}

/** Cloud asset k (1 to 5) of enterprise 1 to 60. */
export function seedCloudAsset(enterprise: number, k: number) {
  const types = ['cloud_customer', 'cloud_account', 'cloud_personal'];
  return {
    assetNum: String(8_500_000_000 + (enterprise - 1) * SEED.cloudAssetsEach + k),
    licenseType: pick(types, k - 1),
    licenseOrderId: `LO-SEED-CLOUD-${four(enterprise)}`,
    productUri: `P-CLOUD-${four(k)}`,
    extends: [
      { extendCode: k === 1 ? 'gxxp' : 'region', extendValue: k === 1 ? '1' : pick(CITIES, enterprise - 1) },
    ],
  };
}

/** Asset to delete n of 1 to 120: its number, its order, and its two products. */
export function seedDeletable(n: number) {
  let licenseType = 'normal_recover_usbkey';
  if (n > 80) licenseType = n <= 100 ? 'softkey' : 'cloud_account';
  return {
    assetNum: String(8_200_000_000 + n),
    licenseType,
    licenseOrderId: `LO-SEED-${four(n)}`,
    products: [cyclic(n, 20), 20 + cyclic(n, 20)].map((product, index) => ({
      productUri: `P-${four(product)}`,
      crmProductId: `CRMP-${four(n)}-${index + 1}`,
    })),
  };
}

function seedCustomers(state: State): void {
  for (let n = 1; n <= SEED.customers; n += 1) {
    const id = seedEnterpriseId(n);
    const name = seedCustomerName(n);
    state.addEnterprise({
      id,
      name,
      members: [{ memberGlobalId: `${id}-M1`, memberIdentity: `admin@${id.toLowerCase()}.sandbox.example` }],
    });
    for (const isDefault of n <= SEED.secondCustomers ? [true, false] : [true]) {
      state.addCustomer({
        customerId: isDefault ? seedCustomerId(n) : `${seedCustomerId(n)}-GX`,
        crmCustomerId: seedCrmCustomerId(n),
        channelCode: SEED.channelCode,
        channelCustomerId: seedChannelCustomerId(n),
        enterpriseGlobalId: id,
        isDefault,
        name,
        branchName: `${pick(CITIES, n - 1)}分公司`,
        address: `${pick(CITIES, n - 1)}市人民路${n}号`,
      });
    }
  }
}

/** Fills a new state; times in the state's unit. */
export function seed(state: State): void {
  const from = state.stamp(SEED.validFrom);
  const until = state.stamp(SEED.validUntil);
  const limits = { limitStartDate: from, limitEndDate: until, limitConcurrent: SEED.nodes };
  const add = (
    owner: number,
    asset: Pick<Asset, 'assetNum' | 'licenseType' | 'licenseOrderId'> & Partial<Asset>,
  ) =>
    state.addAsset({
      createdAt: CREATED,
      customerId: seedCustomerId(owner),
      enterpriseGlobalId: seedEnterpriseId(owner),
      updatedAt: CREATED,
      locked: false,
      freezing: false,
      borrowed: false,
      extends: [],
      products: [],
      ...asset,
    });
  seedCustomers(state);
  for (let n = 1; n <= SEED.locks; n += 1) {
    const { assetNum, licenseType, frozen, locked, large, enterpriseGlobalId } = seedLock(n);
    const licenseOrderId = `LO-SEED-LOCK-${four(n)}`;
    add(cyclic(n, SEED.lockEnterprises), {
      assetNum,
      licenseType,
      licenseOrderId,
      locked,
      freezing: frozen,
      ...(large && { limitStart: from, limitEnd: until, memberId: `${enterpriseGlobalId}-M1` }),
    });
  }
  for (let enterprise = 1; enterprise <= SEED.cloudEnterprises; enterprise += 1) {
    for (let k = 1; k <= SEED.cloudAssetsEach; k += 1) {
      const { productUri, ...asset } = seedCloudAsset(enterprise, k);
      const product: Product = {
        productUri,
        crmProductId: `CRMP-${asset.assetNum}`,
        licenseOrderId: asset.licenseOrderId,
        ...limits,
      };
      add(enterprise, { ...asset, limitEnd: until, products: [product] });
    }
  }
  for (let n = 1; n <= SEED.deletables; n += 1) {
    const { products, ...asset } = seedDeletable(n);
    const { licenseOrderId } = asset;
    add(n, { ...asset, products: products.map((it) => ({ ...it, licenseOrderId, ...limits })) });
  }
}
