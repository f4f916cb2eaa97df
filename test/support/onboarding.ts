import { type Answer, ordersDone, type Seen } from './fake-platform.js';

/** Customers, numbers and orders, one after the other; `onPartial` of the first step. */
export function onboarding(change: { readonly first?: string; readonly extra?: string } = {}): string {
  return `version: 1
name: onboard
source: { file: rows.csv }
steps:
  - name: customer
    operation: enterprise.bind
    when: row["Customer ID"] == ""
    ${change.first ?? ''}
    map:
      channelCode: { value: CH }
      channelCustomerId: Customer
      customerName: Customer
      branchName: { value: Branch }
      enterpriseName: { template: "Enterprise {Customer}" }
      passwordMobile: { value: "13800000001" }
  - name: numbers
    operation: asset.numbers
    map: { size: Locks }
  - name: order
    operation: order.new_buy
    map:
      channelCode: { value: CH }
      channelOrderId: Order
      syncMode: { value: sync }
      orderList:
        each: [Order]
        customerId: { from: customer.customerId, else: Customer ID }
        crmCustomerId: { value: CRM1 }
        customerName: Customer
        channelCustomerId: Customer
        adminName: { value: Admin }
        adminAccount: { value: admin }
        adminEmail: { value: a@example.com }
        adminCellNumber: { value: "13800000001" }
        passwordMobile: { value: "13800000001" }
        address: { value: Street 1 }
        customerType: { value: company }
        branchCode: { value: "01" }
        branchName: { value: Branch }
        enterpriseGlobalId: { value: E1 }
        licenseType: { value: normal_recover_usbkey }
        assets:
          assetNos: { from: numbers.assetNumber }
          products:
            crmProductId: { value: P1 }
            parentCrmProductId: { value: PP1 }
            productUri: { value: uri }
            productName: { value: Product }
            productType: { value: software }
            limitConcurrent: Nodes
            limitTimeDuration: { value: 0 }
            trial: { value: 0 }
            trialEndDate: { value: 0 }
            timeUnit: { value: month }
            timeUnitQuantity: { value: 12 }
            timeDurationExpression: { value: 1-0-0 }
${change.extra ?? ''}`;
}

/** The same with other texts in place of some; each of them has to be there. */
export function onboardingWith(changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((job, [from, to]) => {
    if (!job.includes(from)) throw new Error(`the job has no ${from}`);
    return job.replace(from, to);
  }, onboarding());
}

/** One line a row: order, customer, its id where it is known, locks, nodes. */
export function onboardingRows(lines: readonly string[]): string {
  return `${['Order,Customer,Customer ID,Locks,Nodes', ...lines].join('\n')}\n`;
}

export type Step = 'customer' | 'numbers' | 'order';

/** The step that a request is of, and what names its row, or its customer. */
export function stepOf({ path, body }: Seen): { readonly step: Step; readonly of: string } {
  if (path.includes('bind')) return { step: 'customer', of: String(body.channelCustomerId) };
  if (path.includes('batch')) return { step: 'order', of: String(body.channelOrderId) };
  return { step: 'numbers', of: '' };
}

/** Does all that it is asked for. */
export class OnboardingPlatform {
  #numbers = 0;

  answer(seen: Seen): Answer {
    const { step, of } = stepOf(seen);
    if (step === 'order') return ordersDone(seen);
    if (step === 'customer') {
      const data = {
        channelCode: seen.body.channelCode,
        channelCustomerId: of,
        customerId: `ID-${of}`,
        enterpriseGlobalId: `ENT-${of}`,
        enterpriseName: String(seen.body.enterpriseName),
        isDefault: true,
      };
      return { body: { code: 0, message: 'success', data } };
    }
    const size = Number(seen.query.get('size') ?? seen.body.size);
    const data = Array.from({ length: size }, () => {
      this.#numbers += 1;
      return String(8_600_000_000 + this.#numbers);
    });
    return { body: { code: 0, message: 'success', data } };
  }
}
