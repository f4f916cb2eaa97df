import { it } from 'vitest';
import { compileMapping } from '../../src/mapping/compile.js';
import { ORDER_NEW_BUY } from '../../src/platform/operations/order-new-buy.js';
import { fold } from '../../src/util/fold.js';
const names = ['channelCode','syncMode','customerId','crmCustomerId','customerName','channelCustomerId','adminName','adminAccount','adminEmail','adminCellNumber','passwordMobile','address','customerType','branchCode','branchName','enterpriseGlobalId','licenseType','assets.assetNos','assets.products.crmProductId','assets.products.parentCrmProductId','assets.products.productUri','assets.products.productName','assets.products.productType','assets.products.limitStartDate','assets.products.limitConcurrent','assets.products.limitTimeDuration','assets.products.trial','assets.products.trialEndDate','assets.products.timeUnit','assets.products.timeUnitQuantity','assets.products.timeDurationExpression'];
const sample: Record<string,string> = {syncMode:'sync',customerType:'company',licenseType:'normal_recover_usbkey','assets.products.trial':'0','assets.products.trialEndDate':'2026-01-31','assets.products.limitStartDate':'2026-01-31','assets.products.limitConcurrent':'5','assets.products.limitTimeDuration':'0','assets.products.timeUnitQuantity':'12','assets.products.timeDurationExpression':'1-0-0', customerName:'北京某某科技有限公司', address:'北京市海淀区 1 号'};
it('perf', () => {
  const headers = names.map((text,i)=>({column:i+1,text,folded:fold(text)}));
  const m = compileMapping({operation: ORDER_NEW_BUY, map: undefined, headers, sheet:'S', joined:new Map(), timestamps:'milliseconds', timezone:'Asia/Shanghai', rules:{allowDeleteFromAllOrders:false}});
  const N=100000;
  const rows = Array.from({length:N/100},(_,n)=>{ const cells = names.map((nm,i)=>({column:i+1,address:'A1',kind: /Date/.test(nm)?'date' as const:'text' as const,text: sample[nm] ?? `V${i}-${n}`,raw:''})); return {sheet:'S',number:n+2,hidden:false,cell:(c:number)=>cells[c-1],cells:()=>cells};});
  let ok=0; let first: unknown;
  const look={rows:()=>[]};
  const c=process.cpuUsage();const t=performance.now();
  for (let k=0;k<100;k++) for (const r of rows){ const g=m.map([r],look); first ??= g; if(g.kind==='items') ok++; }
  const d=performance.now()-t;
  console.log(JSON.stringify(first).slice(0,1500));
  console.log('cpu us/row',process.cpuUsage(c).user/N);console.log(ok, d.toFixed(0),'ms', (N/d*1000).toFixed(0),'rows/s');
});
