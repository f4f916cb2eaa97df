/** A job of one-row orders in a .csv, every field but the few that a test is about being constant. */
export function orderJob(
  change: { readonly extra?: string; readonly operation?: string; readonly channelOrderId?: string } = {},
): string {
  const operation = change.operation ?? 'order.new_buy';
  return `version: 1
name: orders
operation: ${operation}
source: { file: orders.csv }
map:
  channelCode: { value: CH }
  channelOrderId: ${change.channelOrderId ?? 'Order'}
  syncMode: { value: sync }
  orderList:
    each: [Order]
    customerId: { value: C1 }
    crmCustomerId: { value: CRM1 }
    customerName: Customer
    channelCustomerId: { value: CC1 }
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
    ${operation === 'order.new_buy' ? '' : 'srcLicenseOrderId: { value: LO-1 }'}
    assets:
      each: [Asset]
      assetNos: Asset
${
  operation === 'order.delete_asset'
    ? ''
    : `      products:
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
`
}${change.extra ?? ''}`;
}

/** `SO-1,Customer 1,A1,5` lines under their header. */
export function orderRows(count: number, from = 1): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const number = from + index;
    return `SO-${number},Customer ${number},A${number},5`;
  });
  return `Order,Customer,Asset,Nodes\n${lines.join('\n')}\n`;
}
