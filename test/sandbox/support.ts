import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { afterEach } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/serve.js';

const open: Sandbox[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((it) => it.close()));
});

/** A sandbox that the test needn't close. */
export async function started(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  open.push(sandbox);
  return sandbox;
}

export interface Sent {
  readonly method?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a string as it is. */
  readonly body?: unknown;
  /** undefined leaves a header out that would be there. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly nonce?: string | undefined;
  readonly timeoutMs?: number;
}

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly json: any;
}

/** One request with all that §4.1 asks for, but for what `sent` changes. Rejects on a reset or a broken reply. */
export function call(sandbox: Sandbox, path: string, sent: Sent = {}): Promise<Got> {
  const url = new URL(path, sandbox.url);
  const nonce = 'nonce' in sent ? sent.nonce : randomUUID();
  if (nonce !== undefined) url.searchParams.set('g_nonce', nonce);
  for (const [name, value] of Object.entries(sent.query ?? {})) url.searchParams.set(name, value);
  const wanted = { authorization: 'Bearer token-1', 'content-type': 'application/json', ...sent.headers };
  const headers = Object.fromEntries(
    Object.entries(wanted).filter((it): it is [string, string] => it[1] !== undefined),
  );
  const payload =
    sent.body === undefined || typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body);
  const method = sent.method ?? (sent.body === undefined ? 'GET' : 'POST');
  return new Promise((resolve, reject) => {
    const out = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const json = response.headers['content-type']?.startsWith('application/json')
          ? JSON.parse(text)
          : undefined;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    });
    out.on('error', reject);
    if (sent.timeoutMs) out.setTimeout(sent.timeoutMs, () => out.destroy(new Error('timed out')));
    out.end(payload);
  });
}

const ORDER = '/order/api/order/v1';

export const PATHS = {
  bind: `${ORDER}/enterprise/user/bind`,
  create: `${ORDER}/enterprise/user/create`,
  query: `${ORDER}/enterprise/user/query`,
  update: `${ORDER}/enterprise/user/update`,
  batchOrder: `${ORDER}/licenseOrder/batchOrder`,
  lock: `${ORDER}/asset/lock`,
  unlock: `${ORDER}/asset/unlock`,
  list: (enterprise: string) => `${ORDER}/asset/${encodeURIComponent(enterprise)}/list`,
  shellnums: `${ORDER}/shellnums`,
  activity: '/activity/services/activity',
} as const;

export const product = (productUri = 'gms-1', more: object = {}) => ({
  crmProductId: 'cp-1',
  parentCrmProductId: 'cp-0',
  productUri,
  productName: '土建计量平台',
  productType: 'normal',
  limitStartDate: 1_735_660_800_000,
  limitEndDate: 1_767_196_799_000,
  limitConcurrent: 3,
  limitTimeDuration: 0,
  strictMatchWhenDelete: false,
  trial: 0,
  trialEndDate: 0,
  timeUnit: 'year',
  timeUnitQuantity: 1,
  timeDurationExpression: '1-0-0',
  productFeatures: [],
  ...more,
});

export const newBuy = (assetNo: string, more: object = {}) => ({
  sequence: 1,
  customerId: 'C-77',
  crmCustomerId: 'CRM-77',
  customerName: '海口测试建设有限公司',
  channelCustomerId: 'CHX-77',
  adminName: '王芳',
  adminAccount: 'wangfang',
  adminEmail: 'wangfang@example.com',
  adminCellNumber: '13800000000',
  passwordMobile: '13800000000',
  address: '海口市',
  customerType: 'company',
  branchCode: '0898',
  branchName: '海南分公司',
  enterpriseGlobalId: 'ENT-X77',
  licenseType: 'normal_recover_usbkey',
  orderType: 'new_buy',
  assets: [{ assetNos: [assetNo], products: [product()] }],
  ...more,
});

/** A delete order in the interface's short form: without the four customer fields. */
export const deletion = (orderType: string, assets: readonly object[], more: object = {}) => {
  const { customerId, crmCustomerId, passwordMobile, address, ...rest } = newBuy('');
  return { ...rest, orderType, assets, ...more };
};

export const batch = (orderList: readonly object[], channelOrderId = 'SO-1') => ({
  query: { appKey: 'app-1' },
  body: { channelCode: 'CH01', channelOrderId, syncMode: 'sync', orderList },
});
