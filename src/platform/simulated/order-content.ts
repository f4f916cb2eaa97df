import type { Json } from '../../model/json.js';

/** A product as an order brings or names it; only what the sandbox goes by. */
export interface ProductContent {
  readonly productUri: string;
  readonly crmProductId: string;
  readonly limitStartDate?: Json;
  readonly limitEndDate?: Json;
  readonly limitConcurrent?: Json;
  /** Deletion: time range and node count must be equal, not the product id alone (§4.5.5). */
  readonly strict?: boolean;
}

interface ExtendContent {
  readonly extendCode: string;
  readonly extendValue: string;
}

export interface AssetContent {
  readonly assetNos: readonly string[];
  readonly limitStartDate?: Json;
  readonly limitEndDate?: Json;
  readonly borrowed: boolean;
  readonly transferred: boolean;
  readonly extends: readonly ExtendContent[];
  /** At least one package, even if it holds no products. */
  readonly packaged: boolean;
  /** Those in packages at any depth included. */
  readonly products: readonly ProductContent[];
}

export interface OrderContent {
  readonly sequence: number;
  readonly orderType: 'new_buy' | 'delete_asset' | 'delete_product';
  readonly licenseType: string;
  readonly customerId: string;
  readonly crmCustomerId: string;
  readonly customerName: string;
  readonly channelCustomerId: string;
  readonly enterpriseGlobalId: string;
  readonly branchName: string;
  readonly address: string;
  /** The empty text where the order names none. */
  readonly srcLicenseOrderId: string;
  readonly assets: readonly AssetContent[];
  /** Digest of the whole order as sent, without its sequence. */
  readonly content: string;
}
