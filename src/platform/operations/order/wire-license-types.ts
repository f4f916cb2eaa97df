import type { AllowedValue } from '../../../model/field.js';

/** Values of `licenseType` (§2.3). */
export const LICENSE_TYPES = [
  { value: 'normal_unrecover_usbkey', meaning: 'standalone lock that cannot be recovered' },
  { value: 'normal_recover_usbkey', meaning: 'standalone lock that can be recovered' },
  { value: 'normal_unrecover_lan_usbkey', meaning: 'network lock that cannot be recovered' },
  { value: 'normal_recover_lan_usbkey', meaning: 'network lock that can be recovered' },
  { value: 'identity_usbkey', meaning: 'identity lock for one machine' },
  { value: 'identity_lan_usbkey', meaning: 'identity lock for the network' },
  { value: 'softkey', meaning: 'certificate for one machine' },
  { value: 'lan_softkey', meaning: 'certificate for the network' },
  { value: 'product_entity', meaning: 'product entity' },
  { value: 'cloud_account', meaning: 'cloud account' },
  { value: 'cloud_customer', meaning: 'cloud authorization of an enterprise account' },
  { value: 'cloud_personal', meaning: 'cloud authorization of a personal account' },
  { value: 'lk_product_usbkey', meaning: 'product lock' },
  { value: 'lk_auth_usbkey', meaning: 'login lock' },
] as const satisfies readonly AllowedValue[];

/** The cloud authorizations, for which a delete order must name its original order (§4.5.3). */
export const CLOUD_LICENSE_TYPES: ReadonlySet<string> = new Set([
  'cloud_account',
  'cloud_customer',
  'cloud_personal',
]);
