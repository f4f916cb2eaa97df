/** A job with a schedule, and one that compares, for the console’s pages. */
export const NIGHTLY = `version: 1
name: nightly
operation: asset.lock
connection: sandbox
source: { file: ../locks.csv }
schedule: { cron: "0 2 * * *", timezone: Asia/Shanghai }
map: { assetNums: Lock, operatorIdentity: { value: ada } }
output: { file: ../out.csv }
`;
export const COMPARED = `version: 1
name: compared
reconcile: enterprise
connection: sandbox
source: { file: ../customers.csv }
key: { channelCode: { value: CH }, channelCustomerId: Customer }
expect: { enterpriseName: Group }
output: { file: ../drift.csv }
`;
