PRAGMA foreign_keys = OFF;
BEGIN TRANSACTION;
CREATE TABLE approvals (
  run INTEGER NOT NULL REFERENCES runs (id),
  n INTEGER NOT NULL,
  act TEXT NOT NULL CHECK (act IN ('request', 'approve', 'reject')),
  plan_hash TEXT NOT NULL,
  signer TEXT NOT NULL,
  signer_subject TEXT,
  comment TEXT,
  at INTEGER NOT NULL,
  expires_at INTEGER CHECK ((expires_at IS NOT NULL) = (act = 'approve')),
  PRIMARY KEY (run, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE attempts (
  batch INTEGER NOT NULL REFERENCES batches (id),
  attempt INTEGER NOT NULL,
  nonce TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  http_status INTEGER,
  event TEXT,
  sent INTEGER,
  doubtful INTEGER,
  reply TEXT,
  PRIMARY KEY (batch, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO "attempts" VALUES(4294967297,1,'037b2033671ae2d50336a60987e81379',1795712729673,1795712729832,200,'reply',1,1,'{"code":0,"message":"success","da[redacted]a":[{"sequence":1,"licenseOrderId":"LO-SO-1","cus[redacted]omerId":"C1"}]}');
INSERT INTO "attempts" VALUES(4294967298,1,'c359e9c5f5e2f674362908d3241e1fd2',1795712729849,1795712729882,NULL,'reset',1,1,'UND_ERR_SOCKET: o[redac[redacted]ed]her side closed');
INSERT INTO "attempts" VALUES(4294967299,1,'9f5f65938014712eb75bf689351248a2',1795712729883,1795712729927,200,'reply',1,1,'{"code":13005,"message":"refused","cause":""}');
INSERT INTO "attempts" VALUES(4294967300,1,'b1a7e08c62538b7a413f5f5f1e09bda8',1795712729927,1795712729957,200,'reply',1,1,'{"code":0,"message":"success","da[redacted]a":[{"sequence":1,"licenseOrderId":"LO-SO-4","cus[redacted]omerId":"C1"}]}');
INSERT INTO "attempts" VALUES(8589934593,1,'500d14198e509d6626587e2591e6151f',1795712735477,1795712735621,200,'reply',1,1,'{"code":0,"message":"success","da[redacted]a":[{"sequence":1,"licenseOrderId":"LO-SO-5","cus[redacted]omerId":"C1"}]}');
INSERT INTO "attempts" VALUES(8589934594,1,'f494183a0c4a1196a27ea6fbe60c7949',1795712735621,1795712735663,200,'reply',1,1,'{"code":0,"message":"success","da[redacted]a":[{"sequence":1,"licenseOrderId":"LO-SO-6","cus[redacted]omerId":"C1"}]}');
INSERT INTO "attempts" VALUES(8589934595,1,'ff85b06c9817cb98211465f1ad12b89b',1795712735663,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE attempts_begun (
  batch INTEGER PRIMARY KEY,
  attempt INTEGER NOT NULL,
  nonce TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  retry INTEGER NOT NULL
) STRICT;
CREATE TABLE attempts_ended (
  id INTEGER PRIMARY KEY,
  batch INTEGER NOT NULL UNIQUE,
  attempt INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  http_status INTEGER,
  event TEXT NOT NULL,
  sent INTEGER NOT NULL,
  doubtful INTEGER NOT NULL,
  reply TEXT,
  outcomes_json TEXT,
  records_json TEXT,
  releases INTEGER NOT NULL
) STRICT;
CREATE TABLE attempts_set_aside (
  id INTEGER PRIMARY KEY,
  batch INTEGER NOT NULL,
  begun_json TEXT,
  ended_json TEXT,
  reason TEXT NOT NULL
) STRICT;
CREATE TABLE audit (
  n INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  act TEXT NOT NULL,
  run TEXT,
  detail TEXT NOT NULL,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
INSERT INTO "audit" VALUES(1,1795712729113,'os:root@vm','run','20261126-170528-b332b3','{"connection":"office","job":"first","operation":"order.new_buy"}','0000000000000000000000000000000000000000000000000000000000000000','9f160c83d5ec1a7fd81f5df6dcd19b9fee9296d1d6429c8ef07e0c54117ac03a');
INSERT INTO "audit" VALUES(2,1795712734906,'os:root@vm','run','20261126-170534-0e0c41','{"connection":"office","job":"cut","operation":"order.new_buy"}','9f160c83d5ec1a7fd81f5df6dcd19b9fee9296d1d6429c8ef07e0c54117ac03a','57ee37308a268de9564fc72b23e92032016749a5f3fd7d5dad92935aae7733b6');
INSERT INTO "audit" VALUES(3,1795712739523,'os:root@vm','plan','20261126-170539-567a30','{"connection":"office","job":"planned","operation":"order.new_buy"}','57ee37308a268de9564fc72b23e92032016749a5f3fd7d5dad92935aae7733b6','1376f55596510d246ac9e9c545ffc1a90751e1e971ba89fb7930163ed735445e');
CREATE TABLE audit_head (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  n INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;
INSERT INTO "audit_head" VALUES(1,3,'1376f55596510d246ac9e9c545ffc1a90751e1e971ba89fb7930163ed735445e');
CREATE TABLE batch_items (
  batch INTEGER NOT NULL REFERENCES batches (id),
  item INTEGER NOT NULL,
  PRIMARY KEY (batch, item)
) STRICT, WITHOUT ROWID;
INSERT INTO "batch_items" VALUES(4294967297,4294967297);
INSERT INTO "batch_items" VALUES(4294967298,4294967298);
INSERT INTO "batch_items" VALUES(4294967299,4294967299);
INSERT INTO "batch_items" VALUES(4294967300,4294967300);
INSERT INTO "batch_items" VALUES(8589934593,8589934593);
INSERT INTO "batch_items" VALUES(8589934594,8589934594);
INSERT INTO "batch_items" VALUES(8589934595,8589934595);
INSERT INTO "batch_items" VALUES(8589934596,8589934596);
INSERT INTO "batch_items" VALUES(12884901889,12884901889);
INSERT INTO "batch_items" VALUES(12884901890,12884901890);
CREATE TABLE batches (
  id INTEGER PRIMARY KEY,
  envelope INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO "batches" VALUES(4294967297,4294967297,1);
INSERT INTO "batches" VALUES(4294967298,4294967298,1);
INSERT INTO "batches" VALUES(4294967299,4294967299,1);
INSERT INTO "batches" VALUES(4294967300,4294967300,1);
INSERT INTO "batches" VALUES(8589934593,8589934593,1);
INSERT INTO "batches" VALUES(8589934594,8589934594,1);
INSERT INTO "batches" VALUES(8589934595,8589934595,0);
INSERT INTO "batches" VALUES(8589934596,8589934596,0);
INSERT INTO "batches" VALUES(12884901889,12884901889,0);
INSERT INTO "batches" VALUES(12884901890,12884901890,0);
CREATE TABLE bodies (
  item INTEGER PRIMARY KEY,
  json TEXT NOT NULL
) STRICT;
INSERT INTO "bodies" VALUES(4294967297,'{"address":"Street 1","adminAccount":"admin","adminCellNumber":"13800000001","adminEmail":"a@example.com","adminName":"Admin","assets":[{"assetNos":["A1"],"products":[{"crmProductId":"P1","limitConcurrent":5,"limitTimeDuration":0,"parentCrmProductId":"PP1","productFeatures":[],"productName":"Product","productType":"software","productUri":"uri","strictMatchWhenDelete":false,"timeDurationExpression":"1-0-0","timeUnit":"month","timeUnitQuantity":12,"trial":0,"trialEndDate":0}]}],"branchCode":"01","branchName":"Branch","channelCustomerId":"CC1","crmCustomerId":"CRM1","customerId":"C1","customerName":"Customer 1","customerType":"company","enterpriseGlobalId":"E1","licenseType":"normal_recover_usbkey","orderType":"new_buy","passwordMobile":"13800000001"}');
INSERT INTO "bodies" VALUES(4294967298,'{"address":"Street 1","adminAccount":"admin","adminCellNumber":"13800000001","adminEmail":"a@example.com","adminName":"Admin","assets":[{"assetNos":["A2"],"products":[{"crmProductId":"P1","limitConcurrent":5,"limitTimeDuration":0,"parentCrmProductId":"PP1","productFeatures":[],"productName":"Product","productType":"software","productUri":"uri","strictMatchWhenDelete":false,"timeDurationExpression":"1-0-0","timeUnit":"month","timeUnitQuantity":12,"trial":0,"trialEndDate":0}]}],"branchCode":"01","branchName":"Branch","channelCustomerId":"CC1","crmCustomerId":"CRM1","customerId":"C1","customerName":"Customer 2","customerType":"company","enterpriseGlobalId":"E1","licenseType":"normal_recover_usbkey","orderType":"new_buy","passwordMobile":"13800000001"}');
INSERT INTO "bodies" VALUES(4294967299,'{"address":"Street 1","adminAccount":"admin","adminCellNumber":"13800000001","adminEmail":"a@example.com","adminName":"Admin","assets":[{"assetNos":["A3"],"products":[{"crmProductId":"P1","limitConcurrent":5,"limitTimeDuration":0,"parentCrmProductId":"PP1","productFeatures":[],"productName":"Product","productType":"software","productUri":"uri","strictMatchWhenDelete":false,"timeDurationExpression":"1-0-0","timeUnit":"month","timeUnitQuantity":12,"trial":0,"trialEndDate":0}]}],"branchCode":"01","branchName":"Branch","channelCustomerId":"CC1","crmCustomerId":"CRM1","customerId":"C1","customerName":"Customer 3","customerType":"company","enterpriseGlobalId":"E1","licenseType":"normal_recover_usbkey","orderType":"new_buy","passwordMobile":"13800000001"}');
INSERT INTO "bodies" VALUES(4294967300,'{"address":"Street 1","adminAccount":"admin","adminCellNumber":"13800000001","adminEmail":"a@example.com","adminName":"Admin","assets":[{"assetNos":["A4"],"products":[{"crmProductId":"P1","limitConcurrent":5,"limitTimeDuration":0,"parentCrmProductId":"PP1","productFeatures":[],"productName":"Product","productType":"software","productUri":"uri","strictMatchWhenDelete":false,"timeDurationExpression":"1-0-0","timeUnit":"month","timeUnitQuantity":12,"trial":0,"trialEndDate":0}]}],"branchCode":"01","branchName":"Branch","channelCustomerId":"CC1","crmCustomerId":"CRM1","customerId":"C1","customerName":"Customer 4","customerType":"company","enterpriseGlobalId":"E1","licenseType":"normal_recover_usbkey","orderType":"new_buy","passwordMobile":"13800000001"}');
INSERT INTO "bodies" VALUES(8589934593,'{"address":"Street 1","adminAccount":"admin","adminCellNumber":"13800000001","adminEmail":"a@example.com","adminName":"Admin","assets":[{"assetNos":["A5"],"products":[{"crmProductId":"P1","limitConcurrent":5,"limitTimeDuration":0,"parentCrmProductId":"PP1","productFeatures":[],"productName":"Product","productType":"software","productUri":"uri","strictMatchWhenDelete":false,"timeDurationExpression":"1-0-0","timeUnit":"month","timeUnitQuantity":12,"trial":0,"trialEndDate":0}]}],"branchCode":"01","branchName":"Branch","channelCustomerId":"CC1","crmCustomerId":"CRM1","customerId":"C1","customerName":"Customer 5","customerType":"company","enterpriseGlobalId":"E1","licenseType":"normal_recover_usbkey","orderType":"new_buy","passwordMobile":"13800000001"}');
INSERT INTO "bodies" VALUES(8589934594,'{"address":"Street 1","adminAccount":"admin","adminCellNumber":"13800000001","adminEmail":"a@example.com","adminName":"Admin","assets":[{"assetNos":["A6"],"products":[{"crmProductId":"P1","limitConcurrent":5,"limitTimeDuration":0,"parentCrmProductId":"PP1","productFeatures":[],"productName":"Product","productType":"software","productUri":"uri","strictMatchWhenDelete":false,"timeDurationExpression":"1-0-0","timeUnit":"month","timeUnitQuantity":12,"trial":0,"trialEndDate":0}]}],"branchCode":"01","branchName":"Branch","channelCustomerId":"CC1","crmCustomerId":"CRM1","customerId":"C1","customerName":"Customer 6","customerType":"company","enterpriseGlobalId":"E1","licenseType":"normal_recover_usbkey","orderType":"new_buy","passwordMobile":"13800000001"}');
INSERT INTO "bodies" VALUES(8589934595,'{"address":"Street 1","adminAccount":"admin","adminCellNumber":"13800000001","adminEmail":"a@example.com","adminName":"Admin","assets":[{"assetNos":["A7"],"products":[{"crmProductId":"P1","limitConcurrent":5,"limitTimeDuration":0,"parentCrmProductId":"PP1","productFeatures":[],"productName":"Product","productType":"software","productUri":"uri","strictMatchWhenDelete":false,"timeDurationExpression":"1-0-0","timeUnit":"month","timeUnitQuantity":12,"trial":0,"trialEndDate":0}]}],"branchCode":"01","branchName":"Branch","channelCustomerId":"CC1","crmCustomerId":"CRM1","customerId":"C1","customerName":"Customer 7","customerType":"company","enterpriseGlobalId":"E1","licenseType":"normal_recover_usbkey","orderType":"new_buy","passwordMobile":"13800000001"}');
INSERT INTO "bodies" VALUES(8589934596,'{"address":"Street 1","adminAccount":"admin","adminCellNumber":"13800000001","adminEmail":"a@example.com","adminName":"Admin","assets":[{"assetNos":["A8"],"products":[{"crmProductId":"P1","limitConcurrent":5,"limitTimeDuration":0,"parentCrmProductId":"PP1","productFeatures":[],"productName":"Product","productType":"software","productUri":"uri","strictMatchWhenDelete":false,"timeDurationExpression":"1-0-0","timeUnit":"month","timeUnitQuantity":12,"trial":0,"trialEndDate":0}]}],"branchCode":"01","branchName":"Branch","channelCustomerId":"CC1","crmCustomerId":"CRM1","customerId":"C1","customerName":"Customer 8","customerType":"company","enterpriseGlobalId":"E1","licenseType":"normal_recover_usbkey","orderType":"new_buy","passwordMobile":"13800000001"}');
INSERT INTO "bodies" VALUES(12884901889,'{"address":"Street 1","adminAccount":"admin","adminCellNumber":"13800000001","adminEmail":"a@example.com","adminName":"Admin","assets":[{"assetNos":["A9"],"products":[{"crmProductId":"P1","limitConcurrent":5,"limitTimeDuration":0,"parentCrmProductId":"PP1","productFeatures":[],"productName":"Product","productType":"software","productUri":"uri","strictMatchWhenDelete":false,"timeDurationExpression":"1-0-0","timeUnit":"month","timeUnitQuantity":12,"trial":0,"trialEndDate":0}]}],"branchCode":"01","branchName":"Branch","channelCustomerId":"CC1","crmCustomerId":"CRM1","customerId":"C1","customerName":"Customer 9","customerType":"company","enterpriseGlobalId":"E1","licenseType":"normal_recover_usbkey","orderType":"new_buy","passwordMobile":"13800000001"}');
INSERT INTO "bodies" VALUES(12884901890,'{"address":"Street 1","adminAccount":"admin","adminCellNumber":"13800000001","adminEmail":"a@example.com","adminName":"Admin","assets":[{"assetNos":["A10"],"products":[{"crmProductId":"P1","limitConcurrent":5,"limitTimeDuration":0,"parentCrmProductId":"PP1","productFeatures":[],"productName":"Product","productType":"software","productUri":"uri","strictMatchWhenDelete":false,"timeDurationExpression":"1-0-0","timeUnit":"month","timeUnitQuantity":12,"trial":0,"trialEndDate":0}]}],"branchCode":"01","branchName":"Branch","channelCustomerId":"CC1","crmCustomerId":"CRM1","customerId":"C1","customerName":"Customer 10","customerType":"company","enterpriseGlobalId":"E1","licenseType":"normal_recover_usbkey","orderType":"new_buy","passwordMobile":"13800000001"}');
CREATE TABLE claims_ahead (
  run INTEGER PRIMARY KEY REFERENCES runs (id),
  token INTEGER NOT NULL,
  after_batch INTEGER NOT NULL,
  last_batch INTEGER NOT NULL
) STRICT;
INSERT INTO "claims_ahead" VALUES(2,116840778758078,8589934593,12884901887);
CREATE TABLE console_sessions (
  id TEXT PRIMARY KEY,
  who TEXT NOT NULL,
  person TEXT,
  via TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE contested_batches (
  batch INTEGER PRIMARY KEY
) STRICT;
CREATE TABLE correction_acts (
  import TEXT NOT NULL,
  n INTEGER NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  of_act INTEGER,
  who TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (import, n),
  UNIQUE (import, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE correction_cells (
  import TEXT NOT NULL,
  act INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  col INTEGER NOT NULL,
  header TEXT NOT NULL,
  shown_before TEXT NOT NULL,
  typed TEXT NOT NULL,
  PRIMARY KEY (import, act, "row", col)
) STRICT, WITHOUT ROWID;
CREATE TABLE envelopes (
  id INTEGER PRIMARY KEY,
  digest BLOB NOT NULL,
  json TEXT NOT NULL
) STRICT;
INSERT INTO "envelopes" VALUES(4294967297,X'399C4EF1A1D348899A127974B0E2F668','{"channelCode":"CH","channelOrderId":"SO-1","syncMode":"sync"}');
INSERT INTO "envelopes" VALUES(4294967298,X'A361DB257DFF913D5BD003B068FBD29A','{"channelCode":"CH","channelOrderId":"SO-2","syncMode":"sync"}');
INSERT INTO "envelopes" VALUES(4294967299,X'38B024A614DB2464D7FEE7C37C760284','{"channelCode":"CH","channelOrderId":"SO-3","syncMode":"sync"}');
INSERT INTO "envelopes" VALUES(4294967300,X'7E4D45DB6D1E267CE31A59E6510A4B05','{"channelCode":"CH","channelOrderId":"SO-4","syncMode":"sync"}');
INSERT INTO "envelopes" VALUES(8589934593,X'3661131B2CB3F9C5F6113D960966AAF8','{"channelCode":"CH","channelOrderId":"SO-5","syncMode":"sync"}');
INSERT INTO "envelopes" VALUES(8589934594,X'F67B7D2705095D86BB2F35814468A57F','{"channelCode":"CH","channelOrderId":"SO-6","syncMode":"sync"}');
INSERT INTO "envelopes" VALUES(8589934595,X'A91E9F0A103EA2DE55A237905C168CFC','{"channelCode":"CH","channelOrderId":"SO-7","syncMode":"sync"}');
INSERT INTO "envelopes" VALUES(8589934596,X'6641A184EEAC2ED4BF6D5ADFB749291F','{"channelCode":"CH","channelOrderId":"SO-8","syncMode":"sync"}');
INSERT INTO "envelopes" VALUES(12884901889,X'436A2DB509595979CF87BB1305923204','{"channelCode":"CH","channelOrderId":"SO-9","syncMode":"sync"}');
INSERT INTO "envelopes" VALUES(12884901890,X'F5C50D089416F844D0C3C064F260A2F7','{"channelCode":"CH","channelOrderId":"SO-10","syncMode":"sync"}');
CREATE TABLE host_policies (
  n INTEGER PRIMARY KEY,
  host TEXT NOT NULL,
  policy_json TEXT,
  said_by TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE TABLE imports (
  id TEXT PRIMARY KEY,
  made_by TEXT NOT NULL,
  at INTEGER NOT NULL,
  name TEXT NOT NULL,
  input_sha256 TEXT NOT NULL,
  job_file TEXT NOT NULL,
  job_sha256 TEXT NOT NULL,
  guessed INTEGER NOT NULL,
  connection TEXT,
  sheet TEXT,
  lookups INTEGER NOT NULL,
  check_run TEXT,
  plan_run TEXT,
  failure_json TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE item_keys (
  scope INTEGER NOT NULL REFERENCES scopes (id),
  item_key TEXT NOT NULL,
  item INTEGER NOT NULL,
  kept_json TEXT,
  prior_item INTEGER,
  prior_kept_json TEXT,
  PRIMARY KEY (scope, item_key)
) STRICT, WITHOUT ROWID;
INSERT INTO "item_keys" VALUES(1,'05cd92ee8df5743d58c6686790836211',4294967300,NULL,NULL,NULL);
INSERT INTO "item_keys" VALUES(1,'0a088915b13149460d85801bc2fff31b',4294967297,NULL,NULL,NULL);
INSERT INTO "item_keys" VALUES(1,'8035cc0c6daa027891cbfadb40ce13ee',8589934595,NULL,NULL,NULL);
INSERT INTO "item_keys" VALUES(1,'8669d54aab7155a6f8e3a11596396406',8589934596,NULL,NULL,NULL);
INSERT INTO "item_keys" VALUES(1,'ccb086210e118770c808e5f7848b9a81',8589934593,NULL,NULL,NULL);
INSERT INTO "item_keys" VALUES(1,'d26658529c06c9e5928a1f8643257ed8',8589934594,NULL,NULL,NULL);
INSERT INTO "item_keys" VALUES(1,'d803181457ffa1ede8da99f6f9d7919a',4294967298,NULL,NULL,NULL);
CREATE TABLE item_rows (
  "row" INTEGER NOT NULL,
  item INTEGER NOT NULL,
  PRIMARY KEY ("row", item)
) STRICT, WITHOUT ROWID;
INSERT INTO "item_rows" VALUES(4294967298,4294967297);
INSERT INTO "item_rows" VALUES(4294967299,4294967298);
INSERT INTO "item_rows" VALUES(4294967300,4294967299);
INSERT INTO "item_rows" VALUES(4294967301,4294967300);
INSERT INTO "item_rows" VALUES(8589934594,8589934593);
INSERT INTO "item_rows" VALUES(8589934595,8589934594);
INSERT INTO "item_rows" VALUES(8589934596,8589934595);
INSERT INTO "item_rows" VALUES(8589934597,8589934596);
INSERT INTO "item_rows" VALUES(12884901890,12884901889);
INSERT INTO "item_rows" VALUES(12884901891,12884901890);
CREATE TABLE items (
  id INTEGER PRIMARY KEY,
  envelope INTEGER NOT NULL,
  first_row INTEGER NOT NULL,
  item_key TEXT,
  content TEXT NOT NULL
) STRICT;
INSERT INTO "items" VALUES(4294967297,4294967297,4294967298,'0a088915b13149460d85801bc2fff31b','e8ecaafe0312756f25f1b1842780d538');
INSERT INTO "items" VALUES(4294967298,4294967298,4294967299,'d803181457ffa1ede8da99f6f9d7919a','54f58e7cc0824714e0bde1a24549ffef');
INSERT INTO "items" VALUES(4294967299,4294967299,4294967300,'9e767670a589395ca7b4bf863eaa639b','74da2a1bf8668d7953369bef7e2afac4');
INSERT INTO "items" VALUES(4294967300,4294967300,4294967301,'05cd92ee8df5743d58c6686790836211','e5644978b54ff0ca0395faac90f4e992');
INSERT INTO "items" VALUES(8589934593,8589934593,8589934594,'ccb086210e118770c808e5f7848b9a81','f44927b15f36cf3aad363003c5e1a906');
INSERT INTO "items" VALUES(8589934594,8589934594,8589934595,'d26658529c06c9e5928a1f8643257ed8','c5d029d0804af8d0057eeae4077aa7d9');
INSERT INTO "items" VALUES(8589934595,8589934595,8589934596,'8035cc0c6daa027891cbfadb40ce13ee','2ed47ca2091c85190751d91e22246268');
INSERT INTO "items" VALUES(8589934596,8589934596,8589934597,'8669d54aab7155a6f8e3a11596396406','2f915f5192f468ed532a32ec86b3e1cf');
INSERT INTO "items" VALUES(12884901889,12884901889,12884901890,'f380d98a55154e210a5c40a50202505d','95f0baff9e1268f3f264be4b414395d1');
INSERT INTO "items" VALUES(12884901890,12884901890,12884901891,'c336c2492d00c2730f5caf06e3a206b5','10a379babcb0ec311ecf069a4b6136ee');
CREATE TABLE lookups (
  run INTEGER NOT NULL REFERENCES runs (id),
  -- Digest of operation and request.
  key TEXT NOT NULL,
  operation TEXT NOT NULL,
  request_json TEXT NOT NULL,
  -- All records of the answer; NULL where no good one came, and then the reason is in detail_json.
  answer_json TEXT,
  records INTEGER NOT NULL,
  detail_json TEXT,
  -- Attempts that it took.
  requests INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  PRIMARY KEY (run, key)
) STRICT;
CREATE TABLE merges (
  run INTEGER NOT NULL REFERENCES runs (id),
  text TEXT NOT NULL,
  item INTEGER NOT NULL,
  PRIMARY KEY (run, text)
) STRICT, WITHOUT ROWID;
CREATE TABLE outcomes (
  item INTEGER PRIMARY KEY,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  license_order_id TEXT,
  code TEXT,
  message_json TEXT,
  columns_json TEXT
) STRICT;
INSERT INTO "outcomes" VALUES(4294967297,'succeeded',1,'LO-SO-1','0',NULL,'{"customerId":"C1"}');
INSERT INTO "outcomes" VALUES(4294967298,'unknown',1,NULL,NULL,'{"code":"platform.lost_reset","params":{"detail":"UND_ERR_SOCKET: o[redacted]her side closed"}}',NULL);
INSERT INTO "outcomes" VALUES(4294967299,'rejected',1,NULL,'13005','{"code":"platform.said","params":{"text":"refused"}}',NULL);
INSERT INTO "outcomes" VALUES(4294967300,'succeeded',1,'LO-SO-4','0',NULL,'{"customerId":"C1"}');
INSERT INTO "outcomes" VALUES(8589934593,'succeeded',1,'LO-SO-5','0',NULL,'{"customerId":"C1"}');
INSERT INTO "outcomes" VALUES(8589934594,'succeeded',1,'LO-SO-6','0',NULL,'{"customerId":"C1"}');
CREATE TABLE people (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  roles TEXT NOT NULL,
  subject TEXT,
  token_sha256 TEXT,
  token_expires_at INTEGER,
  added_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;
CREATE TABLE plan_applications (
  run INTEGER PRIMARY KEY REFERENCES runs (id),
  plan_hash TEXT NOT NULL,
  signer TEXT NOT NULL,
  signer_subject TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE TABLE records (
  item INTEGER NOT NULL,
  n INTEGER NOT NULL,
  json TEXT NOT NULL,
  PRIMARY KEY (item, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE resolutions (
  item INTEGER NOT NULL,
  n INTEGER NOT NULL,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  how TEXT NOT NULL,
  from_status TEXT NOT NULL,
  to_status TEXT NOT NULL,
  license_order_id TEXT,
  evidence_json TEXT, note TEXT,
  PRIMARY KEY (item, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  job TEXT NOT NULL,
  job_file TEXT NOT NULL,
  job_sha256 TEXT NOT NULL,
  operation TEXT NOT NULL,
  connection TEXT NOT NULL,
  scope INTEGER NOT NULL REFERENCES scopes (id),
  input_file TEXT NOT NULL,
  input_sha256 TEXT NOT NULL,
  settings_json TEXT NOT NULL,
  parent TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  exit_code INTEGER,
  output TEXT,
  reason_json TEXT,
  execute_ms INTEGER NOT NULL DEFAULT 0,
  requests INTEGER NOT NULL DEFAULT 0,
  retries INTEGER NOT NULL DEFAULT 0,
  "rows" INTEGER NOT NULL DEFAULT 0,
  items INTEGER NOT NULL DEFAULT 0,
  pruned_at INTEGER,
  counts_json TEXT
, step INTEGER, made_by TEXT, made_by_subject TEXT, plan_hash TEXT, needs_approval INTEGER NOT NULL DEFAULT 0, sums_json TEXT) STRICT;
INSERT INTO "runs" VALUES(1,'20261126-170528-b332b3','run','completed','first','FOLDER/first.yaml','5c6bf8b3c40b3753924c018ea37ee4e64fe78321c22d7df12c92ca5b149b8ea7','order.new_buy','office',1,'FOLDER/first.csv','8695c94a03fbd253be09a6fa1b22d3d2b79ce5b81e60d3e8c4876a1a1dd6216b','{"job":{"file":"FOLDER/first.yaml","sha256":"5c6bf8b3c40b3753924c018ea37ee4e64fe78321c22d7df12c92ca5b149b8ea7","name":"first","connection":"office","source":{"file":"FOLDER/first.csv","headerRow":1,"encoding":"auto","hiddenRows":"include","merged":"refuse","delimiter":"auto"},"run":{"concurrency":1,"retries":4,"onInvalid":"abort","stopAfterFailures":50,"timeoutMs":30000,"patienceMs":900000},"safety":{"maxItems":10000,"maxDeletes":100,"allowDeleteFromAllOrders":false,"duplicates":"skip"},"output":{"file":"FOLDER/results/{job}-{run}.xlsx","defaulted":true},"operation":"order.new_buy","map":{"kind":"branch","fields":{"$entries":[["channelCode",{"kind":"value","value":"CH","at":{"line":8,"column":16}}],["channelOrderId",{"kind":"column","column":"Order","at":{"line":9,"column":19}}],["syncMode",{"kind":"value","value":"sync","at":{"line":10,"column":13}}],["orderList",{"kind":"branch","fields":{"$entries":[["customerId",{"kind":"value","value":"C1","at":{"line":13,"column":17}}],["crmCustomerId",{"kind":"value","value":"CRM1","at":{"line":14,"column":20}}],["customerName",{"kind":"column","column":"Customer","at":{"line":15,"column":19}}],["channelCustomerId",{"kind":"value","value":"CC1","at":{"line":16,"column":24}}],["adminName",{"kind":"value","value":"Admin","at":{"line":17,"column":16}}],["adminAccount",{"kind":"value","value":"admin","at":{"line":18,"column":19}}],["adminEmail",{"kind":"value","value":"a@example.com","at":{"line":19,"column":17}}],["adminCellNumber",{"kind":"value","value":"13800000001","at":{"line":20,"column":22}}],["passwordMobile",{"kind":"value","value":"13800000001","at":{"line":21,"column":21}}],["address",{"kind":"value","value":"Street 1","at":{"line":22,"column":14}}],["customerType",{"kind":"value","value":"company","at":{"line":23,"column":19}}],["branchCode",{"kind":"value","value":"01","at":{"line":24,"column":17}}],["branchName",{"kind":"value","value":"Branch","at":{"line":25,"column":17}}],["enterpriseGlobalId",{"kind":"value","value":"E1","at":{"line":26,"column":25}}],["licenseType",{"kind":"value","value":"normal_recover_usbkey","at":{"line":27,"column":18}}],["assets",{"kind":"branch","fields":{"$entries":[["assetNos",{"kind":"column","column":"Asset","at":{"line":30,"column":17}}],["products",{"kind":"branch","fields":{"$entries":[["crmProductId",{"kind":"value","value":"P1","at":{"line":32,"column":23}}],["parentCrmProductId",{"kind":"value","value":"PP1","at":{"line":33,"column":29}}],["productUri",{"kind":"value","value":"uri","at":{"line":34,"column":21}}],["productName",{"kind":"value","value":"Product","at":{"line":35,"column":22}}],["productType",{"kind":"value","value":"software","at":{"line":36,"column":22}}],["limitConcurrent",{"kind":"column","column":"Nodes","at":{"line":37,"column":26}}],["limitTimeDuration",{"kind":"value","value":0,"at":{"line":38,"column":28}}],["trial",{"kind":"value","value":0,"at":{"line":39,"column":16}}],["trialEndDate",{"kind":"value","value":0,"at":{"line":40,"column":23}}],["timeUnit",{"kind":"value","value":"month","at":{"line":41,"column":19}}],["timeUnitQuantity",{"kind":"value","value":12,"at":{"line":42,"column":27}}],["timeDurationExpression",{"kind":"value","value":"1-0-0","at":{"line":43,"column":33}}]]},"at":{"line":32,"column":9}}]]},"at":{"line":29,"column":7},"each":{"kind":"columns","columns":["Asset"],"at":{"line":29,"column":13}}}]]},"at":{"line":12,"column":5},"each":{"kind":"columns","columns":["Order"],"at":{"line":12,"column":11}}}]]},"at":{"line":8,"column":3}},"batch":{}},"connection":{"name":"office","sandbox":false,"appKey":"k","token":{"kind":"env","name":"OFFICE_TOKEN"},"timestamps":"milliseconds","timezone":"Asia/Shanghai","allowInsecureHttp":false,"confirm":"default","retryCode500":"retry","baseUrl":"http://127.0.0.1:18999"},"begunBy":{"process":21464,"host":"HOST"}}',NULL,1795712729110,1795712730012,6,'FOLDER/results/first-20261126-170528-b332b3.xlsx',NULL,352,4,0,4,4,NULL,NULL,NULL,'os:root@vm',NULL,NULL,0,'{"succeeded":2,"unknown":1,"rejected":1}');
INSERT INTO "runs" VALUES(2,'20261126-170534-0e0c41','run','executing','cut','FOLDER/cut.yaml','4278e1e51a3a79a6d4043643d8aa7dc867178dec4c3b13efa09af75aa3ded5ae','order.new_buy','office',1,'FOLDER/cut.csv','47c17a2f1aa7fcc985b1d94dba8311a5690a3281a36fee71f0652d6ac70a2183','{"job":{"file":"FOLDER/cut.yaml","sha256":"4278e1e51a3a79a6d4043643d8aa7dc867178dec4c3b13efa09af75aa3ded5ae","name":"cut","connection":"office","source":{"file":"FOLDER/cut.csv","headerRow":1,"encoding":"auto","hiddenRows":"include","merged":"refuse","delimiter":"auto"},"run":{"concurrency":1,"retries":4,"onInvalid":"abort","stopAfterFailures":50,"timeoutMs":30000,"patienceMs":900000},"safety":{"maxItems":10000,"maxDeletes":100,"allowDeleteFromAllOrders":false,"duplicates":"skip"},"output":{"file":"FOLDER/results/{job}-{run}.xlsx","defaulted":true},"operation":"order.new_buy","map":{"kind":"branch","fields":{"$entries":[["channelCode",{"kind":"value","value":"CH","at":{"line":8,"column":16}}],["channelOrderId",{"kind":"column","column":"Order","at":{"line":9,"column":19}}],["syncMode",{"kind":"value","value":"sync","at":{"line":10,"column":13}}],["orderList",{"kind":"branch","fields":{"$entries":[["customerId",{"kind":"value","value":"C1","at":{"line":13,"column":17}}],["crmCustomerId",{"kind":"value","value":"CRM1","at":{"line":14,"column":20}}],["customerName",{"kind":"column","column":"Customer","at":{"line":15,"column":19}}],["channelCustomerId",{"kind":"value","value":"CC1","at":{"line":16,"column":24}}],["adminName",{"kind":"value","value":"Admin","at":{"line":17,"column":16}}],["adminAccount",{"kind":"value","value":"admin","at":{"line":18,"column":19}}],["adminEmail",{"kind":"value","value":"a@example.com","at":{"line":19,"column":17}}],["adminCellNumber",{"kind":"value","value":"13800000001","at":{"line":20,"column":22}}],["passwordMobile",{"kind":"value","value":"13800000001","at":{"line":21,"column":21}}],["address",{"kind":"value","value":"Street 1","at":{"line":22,"column":14}}],["customerType",{"kind":"value","value":"company","at":{"line":23,"column":19}}],["branchCode",{"kind":"value","value":"01","at":{"line":24,"column":17}}],["branchName",{"kind":"value","value":"Branch","at":{"line":25,"column":17}}],["enterpriseGlobalId",{"kind":"value","value":"E1","at":{"line":26,"column":25}}],["licenseType",{"kind":"value","value":"normal_recover_usbkey","at":{"line":27,"column":18}}],["assets",{"kind":"branch","fields":{"$entries":[["assetNos",{"kind":"column","column":"Asset","at":{"line":30,"column":17}}],["products",{"kind":"branch","fields":{"$entries":[["crmProductId",{"kind":"value","value":"P1","at":{"line":32,"column":23}}],["parentCrmProductId",{"kind":"value","value":"PP1","at":{"line":33,"column":29}}],["productUri",{"kind":"value","value":"uri","at":{"line":34,"column":21}}],["productName",{"kind":"value","value":"Product","at":{"line":35,"column":22}}],["productType",{"kind":"value","value":"software","at":{"line":36,"column":22}}],["limitConcurrent",{"kind":"column","column":"Nodes","at":{"line":37,"column":26}}],["limitTimeDuration",{"kind":"value","value":0,"at":{"line":38,"column":28}}],["trial",{"kind":"value","value":0,"at":{"line":39,"column":16}}],["trialEndDate",{"kind":"value","value":0,"at":{"line":40,"column":23}}],["timeUnit",{"kind":"value","value":"month","at":{"line":41,"column":19}}],["timeUnitQuantity",{"kind":"value","value":12,"at":{"line":42,"column":27}}],["timeDurationExpression",{"kind":"value","value":"1-0-0","at":{"line":43,"column":33}}]]},"at":{"line":32,"column":9}}]]},"at":{"line":29,"column":7},"each":{"kind":"columns","columns":["Asset"],"at":{"line":29,"column":13}}}]]},"at":{"line":12,"column":5},"each":{"kind":"columns","columns":["Order"],"at":{"line":12,"column":11}}}]]},"at":{"line":8,"column":3}},"batch":{}},"connection":{"name":"office","sandbox":false,"appKey":"k","token":{"kind":"env","name":"OFFICE_TOKEN"},"timestamps":"milliseconds","timezone":"Asia/Shanghai","allowInsecureHttp":false,"confirm":"default","retryCode500":"retry","baseUrl":"http://127.0.0.1:18999"},"begunBy":{"process":21725,"host":"HOST"}}',NULL,1795712734905,NULL,NULL,NULL,NULL,0,3,0,4,4,NULL,NULL,NULL,'os:root@vm',NULL,NULL,0,NULL);
INSERT INTO "runs" VALUES(3,'20261126-170539-567a30','plan','planned','planned','FOLDER/planned.yaml','75da9428b76a87f742d7a10d0ea918f7589c19e93d1adedcabff9db0b7730886','order.new_buy','office',1,'FOLDER/planned.csv','8198abe769b25c1836e0eeb69207c3c8df84795327272f6300173b2a8a2210b7','{"job":{"file":"FOLDER/planned.yaml","sha256":"75da9428b76a87f742d7a10d0ea918f7589c19e93d1adedcabff9db0b7730886","name":"planned","connection":"office","source":{"file":"FOLDER/planned.csv","headerRow":1,"encoding":"auto","hiddenRows":"include","merged":"refuse","delimiter":"auto"},"run":{"concurrency":1,"retries":4,"onInvalid":"abort","stopAfterFailures":50,"timeoutMs":30000,"patienceMs":900000},"safety":{"maxItems":10000,"maxDeletes":100,"allowDeleteFromAllOrders":false,"duplicates":"skip"},"output":{"file":"FOLDER/results/{job}-{run}.xlsx","defaulted":true},"operation":"order.new_buy","map":{"kind":"branch","fields":{"$entries":[["channelCode",{"kind":"value","value":"CH","at":{"line":8,"column":16}}],["channelOrderId",{"kind":"column","column":"Order","at":{"line":9,"column":19}}],["syncMode",{"kind":"value","value":"sync","at":{"line":10,"column":13}}],["orderList",{"kind":"branch","fields":{"$entries":[["customerId",{"kind":"value","value":"C1","at":{"line":13,"column":17}}],["crmCustomerId",{"kind":"value","value":"CRM1","at":{"line":14,"column":20}}],["customerName",{"kind":"column","column":"Customer","at":{"line":15,"column":19}}],["channelCustomerId",{"kind":"value","value":"CC1","at":{"line":16,"column":24}}],["adminName",{"kind":"value","value":"Admin","at":{"line":17,"column":16}}],["adminAccount",{"kind":"value","value":"admin","at":{"line":18,"column":19}}],["adminEmail",{"kind":"value","value":"a@example.com","at":{"line":19,"column":17}}],["adminCellNumber",{"kind":"value","value":"13800000001","at":{"line":20,"column":22}}],["passwordMobile",{"kind":"value","value":"13800000001","at":{"line":21,"column":21}}],["address",{"kind":"value","value":"Street 1","at":{"line":22,"column":14}}],["customerType",{"kind":"value","value":"company","at":{"line":23,"column":19}}],["branchCode",{"kind":"value","value":"01","at":{"line":24,"column":17}}],["branchName",{"kind":"value","value":"Branch","at":{"line":25,"column":17}}],["enterpriseGlobalId",{"kind":"value","value":"E1","at":{"line":26,"column":25}}],["licenseType",{"kind":"value","value":"normal_recover_usbkey","at":{"line":27,"column":18}}],["assets",{"kind":"branch","fields":{"$entries":[["assetNos",{"kind":"column","column":"Asset","at":{"line":30,"column":17}}],["products",{"kind":"branch","fields":{"$entries":[["crmProductId",{"kind":"value","value":"P1","at":{"line":32,"column":23}}],["parentCrmProductId",{"kind":"value","value":"PP1","at":{"line":33,"column":29}}],["productUri",{"kind":"value","value":"uri","at":{"line":34,"column":21}}],["productName",{"kind":"value","value":"Product","at":{"line":35,"column":22}}],["productType",{"kind":"value","value":"software","at":{"line":36,"column":22}}],["limitConcurrent",{"kind":"column","column":"Nodes","at":{"line":37,"column":26}}],["limitTimeDuration",{"kind":"value","value":0,"at":{"line":38,"column":28}}],["trial",{"kind":"value","value":0,"at":{"line":39,"column":16}}],["trialEndDate",{"kind":"value","value":0,"at":{"line":40,"column":23}}],["timeUnit",{"kind":"value","value":"month","at":{"line":41,"column":19}}],["timeUnitQuantity",{"kind":"value","value":12,"at":{"line":42,"column":27}}],["timeDurationExpression",{"kind":"value","value":"1-0-0","at":{"line":43,"column":33}}]]},"at":{"line":32,"column":9}}]]},"at":{"line":29,"column":7},"each":{"kind":"columns","columns":["Asset"],"at":{"line":29,"column":13}}}]]},"at":{"line":12,"column":5},"each":{"kind":"columns","columns":["Order"],"at":{"line":12,"column":11}}}]]},"at":{"line":8,"column":3}},"batch":{}},"connection":{"name":"office","sandbox":false,"appKey":"k","token":{"kind":"env","name":"OFFICE_TOKEN"},"timestamps":"milliseconds","timezone":"Asia/Shanghai","allowInsecureHttp":false,"confirm":"default","retryCode500":"retry","baseUrl":"http://127.0.0.1:18999"},"begunBy":{"process":21811,"host":"HOST"}}',NULL,1795712739523,1795712739849,0,'FOLDER/results/planned-20261126-170539-567a30.xlsx',NULL,0,0,0,2,2,NULL,NULL,NULL,'os:root@vm',NULL,'233a0f38cab88253517c64bb76a405da24482070640f756ffea26202b39f7e7e',0,'{"valid":2}');
CREATE TABLE schedule_pauses (
  job TEXT PRIMARY KEY,
  paused_at INTEGER NOT NULL,
  who TEXT NOT NULL,
  -- When it went on.
  continued_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE schedule_times (
  job TEXT NOT NULL,
  due INTEGER NOT NULL,
  begun_at INTEGER NOT NULL,
  ended_at INTEGER,
  exit_code INTEGER,
  run TEXT,
  PRIMARY KEY (job, due)
) STRICT, WITHOUT ROWID;
INSERT INTO "schedule_pauses" VALUES('nightly',1795722400000,'os:root@vm',NULL);
INSERT INTO "schedule_times" VALUES('nightly',1795722360000,1795722360027,1795722361492,0,'20261126-194600-eefd73');
CREATE TABLE scopes (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO "scopes" VALUES(1,'office 127.0.0.1:18999');
CREATE TABLE undoings (
  "row" INTEGER PRIMARY KEY,
  undone INTEGER NOT NULL,
  kept_status TEXT
) STRICT;
CREATE TABLE uploads (
  sha256 TEXT NOT NULL,
  name TEXT NOT NULL,
  made_by TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (sha256, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE verdicts (
  "row" INTEGER NOT NULL,
  n INTEGER NOT NULL,
  status TEXT NOT NULL,
  faults_json TEXT,
  message_json TEXT, license_order_id TEXT, columns_json TEXT, records_json TEXT,
  PRIMARY KEY ("row", n)
) STRICT, WITHOUT ROWID;
CREATE TABLE warnings (
  run INTEGER NOT NULL REFERENCES runs (id),
  n INTEGER NOT NULL,
  message_json TEXT NOT NULL,
  PRIMARY KEY (run, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_rows_by_item ON item_rows (item);
CREATE UNIQUE INDEX batch_items_by_item ON batch_items (item);
CREATE INDEX open_attempts ON attempts (batch) WHERE ended_at IS NULL;
CREATE INDEX runs_by_job ON runs (job, connection);
CREATE INDEX runs_by_parent ON runs (parent) WHERE parent IS NOT NULL;
CREATE TRIGGER attempts_only_folded BEFORE INSERT ON attempts
WHEN NOT EXISTS (SELECT 1 FROM attempts_begun WHERE batch = NEW.batch AND nonce = NEW.nonce)
BEGIN
  SELECT RAISE(ABORT, 'a newer version of license-sync writes this ledger now; start this command again with that version');
END;
CREATE INDEX undoings_by_undone ON undoings (undone);
CREATE UNIQUE INDEX people_by_name ON people (name) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX people_by_subject ON people (subject) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX people_by_token ON people (token_sha256) WHERE removed_at IS NULL;
CREATE INDEX audit_by_run ON audit (run) WHERE run IS NOT NULL;
CREATE TRIGGER audit_follows BEFORE INSERT ON audit BEGIN
  SELECT RAISE(ABORT, 'audit: a line must follow the last one')
  WHERE NOT EXISTS (SELECT 1 FROM audit_head WHERE n = NEW.n - 1 AND hash = NEW.prev);
  UPDATE audit_head SET n = NEW.n, hash = NEW.hash;
END;
CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit BEGIN
  SELECT RAISE(ABORT, 'audit: lines are never changed');
END;
CREATE TRIGGER audit_kept BEFORE DELETE ON audit BEGIN
  SELECT RAISE(ABORT, 'audit: lines are never removed');
END;
CREATE TRIGGER audit_head_kept BEFORE DELETE ON audit_head BEGIN
  SELECT RAISE(ABORT, 'audit: lines are never removed');
END;
CREATE INDEX console_sessions_by_end ON console_sessions (expires_at);
CREATE TRIGGER correction_acts_stay BEFORE UPDATE ON correction_acts
BEGIN SELECT RAISE(ABORT, 'corrections are never changed'); END;
CREATE TRIGGER correction_cells_stay BEFORE UPDATE ON correction_cells
BEGIN SELECT RAISE(ABORT, 'corrections are never changed'); END;
CREATE TRIGGER approvals_follow BEFORE INSERT ON approvals BEGIN
  SELECT RAISE(ABORT, 'approval.other_hash') FROM runs WHERE id = NEW.run AND plan_hash IS NOT NEW.plan_hash;
  SELECT RAISE(ABORT, 'approval.not_requested') WHERE NEW.act <> 'request' AND NOT EXISTS (SELECT 1 FROM approvals AS asked WHERE asked.run = NEW.run AND asked.act = 'request'
    AND NOT EXISTS (SELECT 1 FROM approvals AS no WHERE no.run = asked.run AND no.act = 'reject' AND no.n > asked.n));
  SELECT RAISE(ABORT, 'approval.no_maker') FROM runs WHERE id = NEW.run AND NEW.act = 'approve' AND made_by IS NULL;
  SELECT RAISE(ABORT, 'approval.own_plan') FROM runs WHERE id = NEW.run AND NEW.act = 'approve' AND (
    made_by = NEW.signer OR made_by_subject = NEW.signer_subject
    OR EXISTS (SELECT 1 FROM people WHERE name = NEW.signer AND subject = runs.made_by_subject)
    OR EXISTS (SELECT 1 FROM people WHERE name = runs.made_by AND subject = NEW.signer_subject));
END;
CREATE TRIGGER approvals_unchanged BEFORE UPDATE ON approvals BEGIN SELECT RAISE(ABORT, 'approval.kept'); END;
CREATE TRIGGER approvals_kept BEFORE DELETE ON approvals BEGIN SELECT RAISE(ABORT, 'approval.kept'); END;
CREATE TRIGGER plan_applications_follow BEFORE INSERT ON plan_applications BEGIN
  SELECT RAISE(ABORT, 'approval.applied') WHERE EXISTS (SELECT 1 FROM plan_applications WHERE run = NEW.run);
  SELECT RAISE(ABORT, 'approval.other_hash') FROM runs WHERE id = NEW.run AND plan_hash IS NOT NEW.plan_hash;
  SELECT RAISE(ABORT, 'approval.wanted') FROM runs WHERE id = NEW.run AND needs_approval <> 0 AND NOT EXISTS (
    SELECT 1 FROM approvals AS yes WHERE yes.run = NEW.run AND yes.act = 'approve' AND yes.plan_hash = NEW.plan_hash
    AND yes.expires_at > CASE runs.kind WHEN 'plan' THEN CAST(unixepoch('subsec') * 1000 AS INTEGER) ELSE NEW.at END
    AND NOT EXISTS (SELECT 1 FROM approvals AS no WHERE no.run = yes.run AND no.act = 'reject' AND no.n > yes.n));
END;
CREATE TRIGGER plan_applications_unchanged BEFORE UPDATE ON plan_applications BEGIN SELECT RAISE(ABORT, 'approval.kept'); END;
CREATE TRIGGER plan_applications_kept BEFORE DELETE ON plan_applications BEGIN SELECT RAISE(ABORT, 'approval.kept'); END;
CREATE TRIGGER runs_applied BEFORE UPDATE OF kind, state ON runs
WHEN NEW.needs_approval <> 0 AND ((OLD.kind = 'plan' AND NEW.kind = 'run') OR NEW.state IN ('queued', 'executing'))
  AND NOT EXISTS (SELECT 1 FROM plan_applications WHERE run =
    CASE WHEN NEW.step IS NULL THEN NEW.id ELSE (SELECT whole.id FROM runs AS whole WHERE whole.name = NEW.parent) END)
BEGIN SELECT RAISE(ABORT, 'approval.wanted'); END;
CREATE TRIGGER runs_sealed BEFORE UPDATE OF plan_hash, needs_approval, made_by, made_by_subject ON runs
WHEN OLD.plan_hash IS NOT NULL AND (NEW.plan_hash IS NOT OLD.plan_hash OR NEW.needs_approval <> OLD.needs_approval
  OR NEW.made_by IS NOT OLD.made_by OR NEW.made_by_subject IS NOT OLD.made_by_subject)
BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER runs_sealed_settings BEFORE UPDATE OF settings_json, input_sha256, connection, scope, operation ON runs
WHEN OLD.kind = 'plan' AND OLD.plan_hash IS NOT NULL AND NEW.pruned_at IS NULL AND (NEW.settings_json <> OLD.settings_json
  OR NEW.input_sha256 <> OLD.input_sha256 OR NEW.connection <> OLD.connection OR NEW.scope <> OLD.scope OR NEW.operation <> OLD.operation)
BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER items_sealed BEFORE UPDATE OF id, envelope, first_row, item_key, content ON items WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.id >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) OR EXISTS (SELECT 1 FROM runs WHERE runs.id = (NEW.id >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER items_stay BEFORE DELETE ON items WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.id >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER bodies_sealed BEFORE UPDATE OF item, json ON bodies WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.item >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) OR EXISTS (SELECT 1 FROM runs WHERE runs.id = (NEW.item >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER bodies_approved BEFORE UPDATE OF item, json ON bodies WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.item >> 32) AND needs_approval <> 0 AND plan_hash IS NOT NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER bodies_stay BEFORE DELETE ON bodies WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.item >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER envelopes_sealed BEFORE UPDATE OF id, json ON envelopes WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.id >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) OR EXISTS (SELECT 1 FROM runs WHERE runs.id = (NEW.id >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER envelopes_approved BEFORE UPDATE OF id, json ON envelopes WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.id >> 32) AND needs_approval <> 0 AND plan_hash IS NOT NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER envelopes_stay BEFORE DELETE ON envelopes WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.id >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER item_rows_sealed BEFORE UPDATE OF "row", item ON item_rows WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.item >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) OR EXISTS (SELECT 1 FROM runs WHERE runs.id = (NEW.item >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER item_rows_stay BEFORE DELETE ON item_rows WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.item >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER batches_sealed BEFORE UPDATE OF id, envelope ON batches WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.id >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) OR EXISTS (SELECT 1 FROM runs WHERE runs.id = (NEW.id >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER batches_stay BEFORE DELETE ON batches WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.id >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER batch_items_sealed BEFORE UPDATE OF batch, item ON batch_items WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.item >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) OR EXISTS (SELECT 1 FROM runs WHERE runs.id = (NEW.item >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER batch_items_stay BEFORE DELETE ON batch_items WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.item >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER batch_items_full BEFORE INSERT ON batch_items WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (NEW.item >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER sums_of_changed_run AFTER UPDATE OF kind, state ON runs
WHEN NEW.sums_json IS NOT NULL AND NEW.sums_json IS OLD.sums_json
  AND (NEW.kind <> OLD.kind OR NEW.state <> OLD.state)
BEGIN
  UPDATE runs SET sums_json = NULL WHERE id = NEW.id;
END;
CREATE TRIGGER sums_of_settled_run AFTER INSERT ON resolutions
BEGIN
  UPDATE runs SET sums_json = NULL WHERE id = NEW.item / 4294967296;
  UPDATE runs SET sums_json = NULL
  WHERE name = (SELECT parent FROM runs WHERE id = NEW.item / 4294967296 AND step IS NOT NULL);
END;
CREATE TRIGGER host_policies_lifted BEFORE INSERT ON host_policies
WHEN NEW.policy_json IS NULL AND NEW.said_by NOT LIKE 'os:%'
  AND EXISTS (SELECT 1 FROM people WHERE removed_at IS NULL AND ',' || roles || ',' LIKE '%,admin,%') AND NOT EXISTS (SELECT 1 FROM people WHERE removed_at IS NULL AND ',' || roles || ',' LIKE '%,admin,%' AND name = NEW.said_by)
BEGIN SELECT RAISE(ABORT, 'approval.policy_admin'); END;
CREATE TRIGGER host_policies_unchanged BEFORE UPDATE ON host_policies
BEGIN SELECT RAISE(ABORT, 'approval.policy_kept'); END;
CREATE TRIGGER host_policies_kept BEFORE DELETE ON host_policies
BEGIN SELECT RAISE(ABORT, 'approval.policy_kept'); END;
CREATE TRIGGER items_approved BEFORE UPDATE OF id, envelope, item_key, content ON items WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.id >> 32) AND needs_approval <> 0 AND plan_hash IS NOT NULL AND kind = 'run' AND step IS NULL AND pruned_at IS NULL) OR EXISTS (SELECT 1 FROM runs WHERE runs.id = (NEW.id >> 32) AND needs_approval <> 0 AND plan_hash IS NOT NULL AND kind = 'run' AND step IS NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER item_rows_approved BEFORE UPDATE OF "row", item ON item_rows WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.item >> 32) AND needs_approval <> 0 AND plan_hash IS NOT NULL AND kind = 'run' AND step IS NULL AND pruned_at IS NULL) OR EXISTS (SELECT 1 FROM runs WHERE runs.id = (NEW.item >> 32) AND needs_approval <> 0 AND plan_hash IS NOT NULL AND kind = 'run' AND step IS NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER batches_approved BEFORE UPDATE OF id, envelope ON batches WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.id >> 32) AND needs_approval <> 0 AND plan_hash IS NOT NULL AND kind = 'run' AND step IS NULL AND pruned_at IS NULL) OR EXISTS (SELECT 1 FROM runs WHERE runs.id = (NEW.id >> 32) AND needs_approval <> 0 AND plan_hash IS NOT NULL AND kind = 'run' AND step IS NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER batch_items_approved BEFORE UPDATE OF batch, item ON batch_items WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (OLD.item >> 32) AND needs_approval <> 0 AND plan_hash IS NOT NULL AND kind = 'run' AND step IS NULL AND pruned_at IS NULL) OR EXISTS (SELECT 1 FROM runs WHERE runs.id = (NEW.item >> 32) AND needs_approval <> 0 AND plan_hash IS NOT NULL AND kind = 'run' AND step IS NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER batch_items_added BEFORE INSERT ON batch_items WHEN EXISTS (SELECT 1 FROM runs WHERE runs.id = (NEW.item >> 32) AND needs_approval <> 0 AND plan_hash IS NOT NULL AND kind = 'run' AND step IS NULL AND pruned_at IS NULL) BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
CREATE TRIGGER runs_approved_settings BEFORE UPDATE OF settings_json, input_sha256, connection, scope, operation ON runs
WHEN OLD.kind = 'run' AND OLD.needs_approval <> 0 AND OLD.plan_hash IS NOT NULL AND OLD.step IS NULL AND NEW.pruned_at IS NULL
  AND (NEW.input_sha256 <> OLD.input_sha256 OR NEW.connection <> OLD.connection OR NEW.scope <> OLD.scope
    OR NEW.operation <> OLD.operation
    OR json_remove(NEW.settings_json, '$.canary', '$.plannedCanary') <> json_remove(OLD.settings_json, '$.canary', '$.plannedCanary'))
BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('runs',3);
COMMIT;
PRAGMA application_id = 1280530755;
PRAGMA user_version = 16;
