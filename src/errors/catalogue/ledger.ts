/** Texts of ledger: what is wrong, where, and what would be right. `zh` carries the same {names} as `en`. */
export const LEDGER = {
  'ledger.bad_address': {
    en: 'a ledger is a SQLite file or a PostgreSQL server; another address cannot be used. Give a file path, such as .license-sync/ledger.db, or postgres://USER@HOST/DATABASE to --ledger, LICENSE_SYNC_LEDGER or `ledger` in license-sync.yaml.',
    zh: '账本可以是 SQLite 文件或 PostgreSQL 服务器，不支持其他地址。请在 --ledger、LICENSE_SYNC_LEDGER 或 license-sync.yaml 的 ledger 中填写文件路径（例如 .license-sync/ledger.db）或 postgres://用户@主机/数据库。',
  },
  'ledger.url_form': {
    en: 'the address of the ledger is not complete or not well formed: postgres://USER@HOST:PORT/DATABASE is expected, special characters written as %XX',
    zh: '账本地址不完整或格式有误：应为 postgres://用户@主机:端口/数据库，特殊字符写作 %XX',
  },
  'ledger.url_hosts': {
    en: 'the address of the ledger names several hosts; name one, such as the address that follows the primary',
    zh: '账本地址中有多个主机；请只写一个，例如始终指向主服务器的地址',
  },
  'ledger.url_port': {
    en: 'the port in the address of the ledger must be a number from 1 to 65535',
    zh: '账本地址中的端口应为 1 到 65535 的数字',
  },
  'ledger.url_parameter': {
    en: 'the address of the ledger has the parameter {name}, which is not known here; known are sslmode, sslrootcert, sslcert, sslkey, schema, host, port, user, dbname',
    zh: '账本地址中的参数 {name} 无法识别；可用的有 sslmode、sslrootcert、sslcert、sslkey、schema、host、port、user、dbname',
  },
  'ledger.url_sslmode': {
    en: 'sslmode in the address of the ledger must be one of disable, allow, prefer, require, verify-ca, verify-full',
    zh: '账本地址中的 sslmode 应为 disable、allow、prefer、require、verify-ca、verify-full 之一',
  },
  'ledger.url_schema': {
    en: 'the schema of the ledger must be small letters, digits and _, at most 56, not beginning with a digit or pg_',
    zh: '账本的 schema 只能由小写字母、数字和 _ 组成，最多 56 个字符，且不以数字或 pg_ 开头',
  },
  'ledger.password_env': {
    en: 'the password of the ledger is looked for in the environment variable {name}, which is not set',
    zh: '账本的密码应取自环境变量 {name}，但该变量未设置',
  },
  'ledger.password_file': {
    en: 'the file {path} with the password of the ledger cannot be read: {reason}',
    zh: '无法读取存放账本密码的文件 {path}：{reason}',
  },
  'ledger.password_file_open': {
    en: 'the file {path} with the password of the ledger can be read by others; make it yours alone: chmod 600 {path}',
    zh: '存放账本密码的文件 {path} 可被他人读取；请设为仅本人可读：chmod 600 {path}',
  },
  'ledger.password_command': {
    en: 'the command {program} that prints the password of the ledger failed: {reason}',
    zh: '输出账本密码的命令 {program} 执行失败：{reason}',
  },
  'ledger.server_unreachable': {
    en: 'the ledger {location} cannot be reached: {reason}. Check host and port, and that the server is up and lets this machine in.',
    zh: '无法连接账本 {location}：{reason}。请检查主机和端口，并确认服务器正在运行且允许本机访问。',
  },
  'ledger.login_refused': {
    en: 'the server of the ledger {location} does not let this user in: {reason}. Check the user, and the password (`password` of `ledger` in license-sync.yaml, PGPASSWORD or ~/.pgpass).',
    zh: '账本 {location} 的服务器拒绝该用户登录：{reason}。请检查用户名和密码（license-sync.yaml 中 ledger 的 password、PGPASSWORD 或 ~/.pgpass）。',
  },
  'ledger.password_missing': {
    en: 'the server of the ledger {location} wants a password, and none was found: set PGPASSWORD, write it to ~/.pgpass, or name its place under `password` of `ledger` in license-sync.yaml',
    zh: '账本 {location} 的服务器需要密码，但未找到：请设置 PGPASSWORD、写入 ~/.pgpass，或在 license-sync.yaml 的 ledger 中用 password 指明来源',
  },
  'ledger.no_database': {
    en: 'the ledger {location} cannot be opened: {reason}. Make the database first (createdb), or name another one.',
    zh: '无法打开账本 {location}：{reason}。请先创建该数据库（createdb），或指定其他数据库。',
  },
  'ledger.rights_missing': {
    en: 'the user of the ledger {location} lacks a right: {reason}. It wants its own schema (or the right to make one), and nothing beyond.',
    zh: '账本 {location} 的用户缺少权限：{reason}。它只需要自己的 schema（或创建 schema 的权限），无需其他权限。',
  },
  'ledger.queue_rights_missing': {
    en: 'the user of the ledger {location} may not make the schema of the queue, {schema} ({reason}). Somebody who may must make it beforehand, for this user: CREATE SCHEMA {schema} AUTHORIZATION USER. Nothing was sent.',
    zh: '账本 {location} 的用户无权创建队列所用的 schema {schema}（{reason}）。请先由有权限的人为该用户创建：CREATE SCHEMA {schema} AUTHORIZATION 用户。未发送任何内容。',
  },
  'ledger.certificate_refused': {
    en: 'the certificate of the ledger {location} does not hold: {reason}. Name the certificate that it was signed with (sslrootcert=FILE in the URL), and the host as the certificate has it; sslmode=require goes without checking it.',
    zh: '账本 {location} 的证书无效：{reason}。请在 URL 中用 sslrootcert=文件 指定签发证书，主机名须与证书一致；sslmode=require 则不检查证书。',
  },
  'ledger.no_tls': {
    en: 'the server of the ledger {location} does not speak TLS, so nothing was sent to it. Switch TLS on there; only where the network is trusted, add sslmode=disable to the URL.',
    zh: '账本 {location} 的服务器不支持 TLS，因此未向其发送任何内容。请在服务器上启用 TLS；仅在网络可信时才在 URL 中加上 sslmode=disable。',
  },
  'ledger.no_certificate_file': {
    en: '{parameter} of the ledger cannot be read: {reason}. Name a file with certificates in PEM form: {file}',
    zh: '无法读取账本的 {parameter}：{reason}。请指定 PEM 格式的证书文件：{file}',
  },
  'ledger.server_refused': {
    en: 'the ledger {location} cannot be opened: {reason}',
    zh: '无法打开账本 {location}：{reason}',
  },
  'ledger.server_too_old': {
    en: 'the ledger {location} is on PostgreSQL {version}; version 14 or newer is needed',
    zh: '账本 {location} 位于 PostgreSQL {version} 上；需要 14 或更新版本',
  },
  'ledger.server_encoding': {
    en: 'the database of the ledger {location} is encoded in {encoding}; make one with UTF8 (createdb -E UTF8)',
    zh: '账本 {location} 的数据库编码为 {encoding}；请创建 UTF8 编码的数据库（createdb -E UTF8）',
  },
  'ledger.server_standby': {
    en: 'the ledger {location} is on a standby, which takes no writes; name the primary',
    zh: '账本 {location} 位于只读的备用服务器上；请指定主服务器',
  },
  'ledger.schema_taken': {
    en: 'schema {schema} of {location} holds other tables, so it was left untouched; name another schema for the ledger',
    zh: '{location} 的 schema {schema} 中有其他表，未做任何改动；请为账本指定其他 schema',
  },
  'ledger.server_newer': {
    en: 'the ledger {location} was written by a newer license-sync (its format is {found}, this program knows up to {known}); update license-sync. Nothing was changed.',
    zh: '账本 {location} 由更新版本的 license-sync 写入（其格式为 {found}，本程序最高支持 {known}）；请升级 license-sync。未做任何改动。',
  },
  'ledger.older': {
    en: 'the schema of the ledger {location} is older than this program (version {found}, required: {known}); nothing was changed. Migrate it: license-sync ledger migrate',
    zh: '账本 {location} 的结构版本低于本程序（当前为 {found}，需要 {known}）；未做任何改动。请升级账本：license-sync ledger migrate',
  },
  'ledger.migrated': {
    en: 'the schema of the ledger {location} was migrated from version {from} to version {to}; older programs are refused from now on.',
    zh: '账本 {location} 的结构已从版本 {from} 升级到版本 {to}；此后旧版程序无法再使用该账本。',
  },
  'ledger.migrated_file': {
    en: 'the schema of the ledger {location} was migrated from version {from} to version {to}; older programs are refused from now on. What it was before is in {copy}; delete that file once it is no longer needed.',
    zh: '账本 {location} 的结构已从版本 {from} 升级到版本 {to}；此后旧版程序无法再使用该账本。升级前的内容保存在 {copy}；不再需要时请删除该文件。',
  },
  'ledger.nothing_to_migrate': {
    en: 'the schema of the ledger {location} is up to date (version {version}).',
    zh: '账本 {location} 的结构已是最新（版本 {version}）。',
  },
  'ledger.copy_unsaved': {
    en: 'the ledger {location} was not migrated, because its copy {copy} could not be saved ({reason}); nothing was changed. Make room on the disk and try again',
    zh: '账本 {location} 未升级，因为无法保存其副本 {copy}（{reason}）；未做任何改动。请腾出磁盘空间后重试',
  },
  'ledger.transaction_pooler': {
    en: 'the ledger {location} is reached through a pooler that hands out the server for one transaction at a time, which breaks locks and settings; connect to the server directly, or through a pooler in session mode',
    zh: '账本 {location} 经由按事务分配连接的连接池访问，锁和会话设置会因此失效；请直接连接服务器，或使用会话模式的连接池',
  },
  'ledger.waits_for_server': {
    en: '{why} Waiting for it for up to {seconds} s (ledgerPatience).',
    zh: '{why} 最多再等待 {seconds} 秒（ledgerPatience）。',
  },
  'ledger.server_gone': {
    en: 'the connection to the ledger {location} broke and could not be made again: {reason}. Nothing more is sent. Wait until the server is back',
    zh: '与账本 {location} 的连接已中断且无法恢复：{reason}。不再发送任何内容。请等待服务器恢复',
  },
  'ledger.lost_commit': {
    en: 'the connection to the ledger {location} broke while it was writing, so it is not known whether it did: {reason}. Nothing more is sent. Wait until the server is back',
    zh: '写入账本 {location} 时连接中断，无法确定是否写入成功：{reason}。不再发送任何内容。请等待服务器恢复',
  },
  'ledger.server_write_failed': {
    en: 'the ledger {location} could not be written: {reason}. Nothing more is sent. Wait until the server takes writes again',
    zh: '无法写入账本 {location}：{reason}。不再发送任何内容。请等待服务器恢复写入',
  },
  'ledger.new_to_platform': {
    en: 'the ledger {location} has sent nothing to {platform} yet, and you have sent to it with the ledger {other}, so nothing was sent: orders in that one would not be recognised as repeats. Use it with --ledger {other}, or confirm the new ledger with --yes.',
    zh: '账本 {location} 尚未向 {platform} 发送过内容，而您曾用账本 {other} 向其发送，因此未发送任何内容：那个账本中的订单不会被识别为重复。请用 --ledger {other} 使用原账本，或用 --yes 确认使用新账本。',
  },
  'ledger.file_gone': {
    en: '{location} was removed, moved or unmounted while the ledger was in use, so nothing more is sent. Put it back, then go on with: license-sync resume. If it is lost, compare the result with the platform first: license-sync ledger accept-restored lets a new or older ledger in its place send again.',
    zh: '账本使用期间 {location} 被删除、移动或卸载，因此不再发送任何内容。请将其放回原处，然后执行：license-sync resume。如已丢失，请先将结果与平台核对；之后可用 license-sync ledger accept-restored 允许取代它的新账本或旧账本继续发送。',
  },
  'ledger.file_replaced': {
    en: '{location} was replaced by another file while the ledger was in use, so nothing more is sent. Put the file that was used back, then go on with: license-sync resume. If it is lost, compare the result with the platform first: license-sync ledger accept-restored lets the ledger in its place send again.',
    zh: '账本使用期间 {location} 被其他文件替换，因此不再发送任何内容。请将原文件放回原处，然后执行：license-sync resume。如已丢失，请先将结果与平台核对；之后可用 license-sync ledger accept-restored 允许取代它的账本继续发送。',
  },
  'ledger.server_other': {
    en: 'the ledger {location} is in another database server than the one that was sent from before (its system identifier is {is}, it was {was}), so nothing is sent: records may be missing, and what was sent since may be sent again. Compare the last runs with the platform, then accept the ledger: license-sync ledger accept-restored (or --accept-restored on the command).',
    zh: '账本 {location} 所在的数据库服务器与此前发送时不同（系统标识符为 {is}，此前为 {was}），因此不会发送任何内容：可能缺少记录，此后发送过的内容可能被重复发送。请先将最近的运行与平台核对，再接受该账本：license-sync ledger accept-restored（或在命令中加上 --accept-restored）。',
  },
  'ledger.server_objects': {
    en: 'the database, the schema or the tables of the ledger {location} were dropped and created again since something was sent from it (their object ids differ), so nothing is sent: records may be missing, and what was sent since may be sent again. Compare the last runs with the platform, then accept the ledger: license-sync ledger accept-restored (or --accept-restored on the command).',
    zh: '账本 {location} 的数据库、schema 或表在发送之后被删除并重新创建（对象标识符不同），因此不会发送任何内容：可能缺少记录，此后发送过的内容可能被重复发送。请先将最近的运行与平台核对，再接受该账本：license-sync ledger accept-restored（或在命令中加上 --accept-restored）。',
  },
  'ledger.server_promoted': {
    en: 'the server of the ledger {location} has replaced another one, or was restored (its timeline is {is}, it was {was}), and this user has no marks by which missing records could be found, so nothing is sent: records may be missing, and what was sent since may be sent again. Compare the last runs with the platform, then accept the ledger: license-sync ledger accept-restored (or --accept-restored on the command).',
    zh: '账本 {location} 的服务器已接替另一台服务器，或是恢复而来的（时间线为 {is}，此前为 {was}），且当前用户没有可用于查找缺失记录的标记，因此不会发送任何内容：可能缺少记录，此后发送过的内容可能被重复发送。请先将最近的运行与平台核对，再接受该账本：license-sync ledger accept-restored（或在命令中加上 --accept-restored）。',
  },
  'ledger.restored_run': {
    en: 'the ledger {location} does not have run {run}, which this user has seen in it (its last run is {last}). It was restored from an older copy or replaced, so nothing is sent: records may be missing, and what was sent since may be sent again. Compare the last runs with the platform, then accept the ledger: license-sync ledger accept-restored (or --accept-restored on the command).',
    zh: '账本 {location} 中没有当前用户曾见过的运行 {run}（其最后一次运行为 {last}）。账本是从旧副本恢复的或已被替换，因此不会发送任何内容：可能缺少记录，此后发送过的内容可能被重复发送。请先将最近的运行与平台核对，再接受该账本：license-sync ledger accept-restored（或在命令中加上 --accept-restored）。',
  },
  'ledger.restored_attempt': {
    en: 'the ledger {location} does not have a request of run {run} (batch {batch}) that this user has sent (its last run is {last}). It was restored from an older copy, or copied without ledger.db-wal, so nothing is sent: records may be missing, and what was sent since may be sent again. Compare the last runs with the platform, then accept the ledger: license-sync ledger accept-restored (or --accept-restored on the command).',
    zh: '账本 {location} 中没有当前用户发送过的运行 {run} 的一个请求（批次 {batch}）（其最后一次运行为 {last}）。账本是从旧副本恢复的，或复制时缺少 ledger.db-wal，因此不会发送任何内容：可能缺少记录，此后发送过的内容可能被重复发送。请先将最近的运行与平台核对，再接受该账本：license-sync ledger accept-restored（或在命令中加上 --accept-restored）。',
  },
  'ledger.restored_epoch': {
    en: 'the ledger {location} is older than the last time it was accepted with accept-restored (its last run is {last}). It was restored again, so nothing is sent: records may be missing, and what was sent since may be sent again. Compare the last runs with the platform, then accept the ledger: license-sync ledger accept-restored (or --accept-restored on the command).',
    zh: '账本 {location} 早于上一次用 accept-restored 接受的时间（其最后一次运行为 {last}）。账本再次被恢复，因此不会发送任何内容：可能缺少记录，此后发送过的内容可能被重复发送。请先将最近的运行与平台核对，再接受该账本：license-sync ledger accept-restored（或在命令中加上 --accept-restored）。',
  },
  'ledger.restored_other': {
    en: 'the ledger {location} is not the one that this user has sent from before (that one had run {run}). It was removed or replaced, so nothing is sent: records may be missing, and what was sent since may be sent again. Compare the last runs with the platform, then accept the ledger: license-sync ledger accept-restored (or --accept-restored on the command).',
    zh: '账本 {location} 不是当前用户此前用于发送的账本（那个账本中有运行 {run}）。账本已被删除或替换，因此不会发送任何内容：可能缺少记录，此后发送过的内容可能被重复发送。请先将最近的运行与平台核对，再接受该账本：license-sync ledger accept-restored（或在命令中加上 --accept-restored）。',
  },
  'ledger.accepted': {
    en: 'the ledger {location} was accepted as it is, for all hosts; sending from it continues',
    zh: '账本 {location} 已按现状接受，对所有主机有效；可继续发送',
  },
  'ledger.nothing_to_accept': {
    en: 'nothing to accept: the ledger {location} has all records that this user has seen in it',
    zh: '无需接受：账本 {location} 具有当前用户见过的所有记录',
  },
  'ledger.marks_unwritable': {
    en: 'marks of the ledger cannot be written to {folder} ({reason}), so a ledger that is restored from an older copy will not be noticed for this user. Make the folder writable, or set XDG_STATE_HOME.',
    zh: '无法将账本的标记写入 {folder}（{reason}），因此当前用户将无法发现从旧副本恢复的账本。请使该文件夹可写，或设置 XDG_STATE_HOME。',
  },
  'ledger.copy_to_file': {
    en: 'a ledger is copied to a PostgreSQL server; {location} is a file. To save a ledger file, use: license-sync ledger backup FILE',
    zh: '账本只能复制到 PostgreSQL 服务器；{location} 是文件。如需备份账本文件，请使用：license-sync ledger backup FILE',
  },
  'ledger.closed': {
    en: 'the ledger {location} was copied to {to} and is closed: it can be read, but nothing is written to it. Use the new one (ledger: {to} in license-sync.yaml, or --ledger {to}). If this one is to be used again, and nothing was sent with the new one, reopen it with: license-sync ledger reopen --ledger {location}',
    zh: '账本 {location} 已复制到 {to} 并已关闭：可以读取，但不能写入。请使用新账本（在 license-sync.yaml 中设置 ledger: {to}，或使用 --ledger {to}）。如果要继续使用此账本，并且未曾通过新账本发送任何内容，请重新打开：license-sync ledger reopen --ledger {location}',
  },
  'ledger.reopened': {
    en: 'the ledger {location} is open again. What was sent with {to} since is not known to it.',
    zh: '账本 {location} 已重新打开。此后通过 {to} 发送的内容不在此账本中。',
  },
  'ledger.not_closed': {
    en: 'nothing to do: the ledger {location} is not closed',
    zh: '无需操作：账本 {location} 未关闭',
  },
  'ledger.backed_up': {
    en: '{location} was copied to {file}, with {copied} inputs in {inputs}',
    zh: '已将 {location} 复制到 {file}，并将 {copied} 个输入文件复制到 {inputs}',
  },
  'ledger.backup_there': {
    en: 'the backup was not written: {file} exists, or {folder} is the folder of the ledger. Name a new file in another folder.',
    zh: '未写入备份：{file} 已存在，或 {folder} 是账本所在的文件夹。请指定其他文件夹中的新文件。',
  },
  'ledger.backup_server': {
    en: 'the ledger {location} is on a PostgreSQL server, which has its own backups. Save both schemas with: pg_dump --format=custom --schema=license_sync --schema=license_sync_queue --file=FILE DATABASE-URL. After a restore, continue with: license-sync ledger accept-restored',
    zh: '账本 {location} 位于 PostgreSQL 服务器上，应使用服务器自身的备份。请备份两个 schema：pg_dump --format=custom --schema=license_sync --schema=license_sync_queue --file=FILE DATABASE-URL。恢复之后执行：license-sync ledger accept-restored',
  },
  'ledger.copy_has_audit': {
    en: 'the ledger {location} is to be copied to, but its audit has {lines} lines already; a copy needs one in which nothing was done yet',
    zh: '要复制到的账本 {location} 的审计记录中已有 {lines} 条；复制需要一个尚未有任何操作的账本',
  },
  'ledger.copy_not_empty': {
    en: 'the ledger {location} has {runs} runs already, so nothing was copied into it; name an empty one, or another schema',
    zh: '账本 {location} 中已有 {runs} 次运行，因此未复制任何内容；请指定空的账本或其他 schema',
  },
  'ledger.copy_going_on': {
    en: 'run {run} is going on, so nothing was copied: what it sends meanwhile would be missing in the copy. Wait for its end or stop it, then copy again.',
    zh: '运行 {run} 正在进行，因此未复制任何内容：其间发送的内容会在副本中缺失。请等其结束或将其停止后再复制。',
  },
  'ledger.copy_input_altered': {
    en: 'the kept input {file} is not what its run was planned from any more, so nothing was copied; see: license-sync ledger check',
    zh: '保存的输入 {file} 已与制定计划时不同，因此未复制任何内容；请执行：license-sync ledger check',
  },
  'ledger.copy_differs': {
    en: 'of {rows} lines of the table {table}, {found} are in the copy {location}; do not use it, and please report this',
    zh: '表 {table} 的 {rows} 行中，副本 {location} 里有 {found} 行；请勿使用该副本，并报告此问题',
  },
  'ledger.check_damage': {
    en: 'the database is damaged: {reason}',
    zh: '数据库已损坏：{reason}',
  },
  'ledger.check_orphans': {
    en: '{lines} lines of {table} refer to lines of {other} that are not there',
    zh: '{table} 中有 {lines} 行所引用的 {other} 行不存在',
  },
  'ledger.check_keys': {
    en: '{lines} keys belong to items that are not there, and nothing was kept of what became of them',
    zh: '有 {lines} 个键属于不存在的项，且未保留其结果',
  },
  'ledger.check_unsettled': {
    en: '{items} items of batches that count as done have no outcome',
    zh: '已完成的批次中有 {items} 项没有结果',
  },
  'ledger.check_sum': {
    en: 'run {run} was planned from {rows} rows, but its statuses add up to {sum}',
    zh: '运行 {run} 由 {rows} 行制定计划，但各状态之和为 {sum}',
  },
  'ledger.check_input': {
    en: 'the kept input of run {run} is not what it was planned from any more: {file}',
    zh: '运行 {run} 保存的输入已与制定计划时不同：{file}',
  },
  'ledger.made': {
    en: 'a new ledger was made: {location}. It knows of no earlier run; keep it, because it is how repeats are found.',
    zh: '已新建账本：{location}。其中没有以往的运行记录；请保留该文件，重复项依靠它来识别。',
  },
  'ledger.none_there': {
    en: 'there is no ledger at {location}, so there are no runs; commands that only read do not create one. Run this in the folder of license-sync.yaml or of the job, or name the ledger with --ledger or LICENSE_SYNC_LEDGER.',
    zh: '{location} 处没有账本，因此没有任何运行记录；只读命令不会新建账本。请在 license-sync.yaml 或任务文件所在的文件夹中执行，或用 --ledger 或 LICENSE_SYNC_LEDGER 指定账本。',
  },
  'ledger.in_current_folder': {
    en: 'the ledger {location} is used because it is in the current folder, as in version 0.1, and there is none at {target}. From another folder it is not found, and rows that it contains would be sent again. When no run is in progress, move it: mv {folder} {target}',
    zh: '当前使用账本 {location}，因为它位于当前文件夹（0.1 版的做法），而 {target} 处没有账本。在其他文件夹中执行时找不到该账本，其中的行会被再次发送。请在没有运行进行时移动它：mv {folder} {target}',
  },
  'ledger.elsewhere': {
    en: 'the ledger of this job is {location}. Commands for its runs do not find it from the current folder: add --ledger {location}',
    zh: '此任务的账本是 {location}。在当前文件夹中执行与其运行有关的命令时找不到该账本：请加上 --ledger {location}',
  },
  'ledger.cannot_open': {
    en: 'the ledger {location} cannot be opened: {reason}. Check that its folder is there (or can be made), is on a local disk and may be written to, or name a ledger elsewhere with LICENSE_SYNC_LEDGER.',
    zh: '无法打开账本 {location}：{reason}。请确认其文件夹存在（或可以创建）、位于本地磁盘且可写，或用 LICENSE_SYNC_LEDGER 指定其他位置的账本。',
  },
  'ledger.in_use': {
    en: 'the ledger {location} is in use by another program that does not let go of it; wait until it has finished, then start again',
    zh: '账本 {location} 正被其他程序占用且未释放；请等其结束后重试',
  },
  'ledger.locked': {
    en: 'the ledger {location} is in use by another program that does not release it; nothing more is sent. Wait until that program has finished',
    zh: '账本 {location} 正被其他程序占用且未释放；不再发送任何内容。请等该程序结束',
  },
  'ledger.not_a_ledger': {
    en: '{location} is not a ledger of license-sync, so it was left untouched; name another file as ledger',
    zh: '{location} 不是 license-sync 的账本，未做任何改动；请指定其他文件作为账本',
  },
  'ledger.newer': {
    en: 'the ledger {location} was written by a newer license-sync (its format is {found}, this program knows up to {known}); update license-sync. The file was left untouched.',
    zh: '账本 {location} 由更新版本的 license-sync 写入（其格式为 {found}，本程序最高支持 {known}）；请升级 license-sync。文件未做任何改动。',
  },
  'ledger.corrupt': {
    en: 'the ledger {location} is damaged ({reason}), so nothing is sent. Keep the file, and put back a backup of it together with its -wal file, or name a new file as ledger; a new one does not know what was sent before.',
    zh: '账本 {location} 已损坏（{reason}），因此不会发送任何内容。请保留该文件，并恢复其备份（连同 -wal 文件），或指定新的账本文件；新账本不知道此前已发送的内容。',
  },
  'ledger.not_durable': {
    en: 'the ledger {location} cannot promise that what it wrote is on disk ({setting} is {found}), so nothing is sent; put it on a local disk',
    zh: '账本 {location} 无法保证写入内容已落盘（{setting} 为 {found}），因此不会发送任何内容；请将其放在本地磁盘上',
  },
  'ledger.write_failed': {
    en: 'the ledger {location} could not be written: {reason}. Nothing more is sent. Free disk space or repair the disk',
    zh: '无法写入账本 {location}：{reason}。不再发送任何内容。请释放磁盘空间或修复磁盘',
  },
  'ledger.read_failed': {
    en: 'the ledger {location} could not be read: {reason}',
    zh: '无法读取账本 {location}：{reason}',
  },
  'ledger.no_such_run': {
    en: 'the ledger {location} has no run {run}',
    zh: '账本 {location} 中没有运行 {run}',
  },
  'ledger.already_sent': {
    en: 'run {run} has begun to send, so its plan cannot be made anew; please report this',
    zh: '运行 {run} 已开始发送，无法重新制定计划；请报告此问题',
  },
  'ledger.batch_not_pending': {
    en: 'batch {batch} of run {run} is already on its way or done, so it was not sent again; please report this',
    zh: '运行 {run} 的批次 {batch} 正在发送或已完成，因此未再次发送；请报告此问题',
  },
  'ledger.attempt_not_open': {
    en: 'attempt {attempt} of batch {batch} of run {run} is not open, so nothing can be added to it; please report this',
    zh: '运行 {run} 的批次 {batch} 的第 {attempt} 次尝试未处于进行中，无法再记录结果；请报告此问题',
  },
  'ledger.attempt_set_aside': {
    en: 'what the ledger kept of this request could not be read, so it may or may not have been carried out',
    zh: '账本中该请求的记录无法读取，因此无法确定其是否已执行',
  },
  'ledger.turn_passed': {
    en: 'another worker ended the run meanwhile, so nothing of it was changed',
    zh: '该运行已由另一个工作进程结束，因此未做任何更改',
  },
  'ledger.state_passed': {
    en: 'run {run} is {from} by now, so it was not marked as {to}; please report this',
    zh: '运行 {run} 现已处于 {from} 状态，因此未标记为 {to}；请报告此问题',
  },
  'ledger.run_going_on': {
    en: 'run {run} of job {job} on {platform} is going on (process {process} on {host}); wait for its end or stop it, then start again',
    zh: '任务 {job} 在平台 {platform} 上的运行 {run} 正在进行（主机 {host} 上的进程 {process}）；请等其结束或将其停止后重试',
  },
  'ledger.another_run_going_on': {
    en: 'another run of job {job} on {platform} is going on; wait for its end or stop it, then start again',
    zh: '任务 {job} 在平台 {platform} 上的另一次运行正在进行；请等其结束或将其停止后重试',
  },
  'ledger.late_did_nothing': {
    en: 'the request certainly did nothing; that was heard only after the run had been taken over',
    zh: '该请求确定未产生任何效果；此消息在运行被接管之后才收到',
  },
  'ledger.held_done': {
    en: 'run {run} got this through in the meantime (its row {row}, {status}); not sent again',
    zh: '运行 {run} 在此期间已完成此项（其第 {row} 行，{status}）；不再发送',
  },
  'ledger.held_changed': {
    en: 'run {run} got an item with this key but other content through in the meantime (its row {row}, {status}); not sent',
    zh: '运行 {run} 在此期间已完成了键相同但内容不同的项（其第 {row} 行，{status}）；未发送',
  },
  'ledger.id_given_twice': {
    en: 'the reply gives it {id}, which {other} was given: one of the two replies is about something else. Ask the operator of the platform which one was executed.',
    zh: '回复给出的{id}已属于{other}：两个回复中有一个与请求不符。请向平台方核实实际执行的是哪一个。',
  },
  'ledger.given_order': { en: 'the licence order {value}', zh: '授权订单 {value}' },
  'ledger.given_asset': { en: 'the asset number {value}', zh: '资产号 {value}' },
  'ledger.row_of_run': { en: 'row {row} of run {run}', zh: '运行 {run} 的第 {row} 行' },
  'ledger.item_of_run': { en: 'a row of run {run}', zh: '运行 {run} 的某一行' },
  'ledger.held_unknown': {
    en: 'run {run} may have sent this already (its row {row} is unknown); settle it first: license-sync resolve {run} --row {row}',
    zh: '运行 {run} 可能已经发送过此项（其第 {row} 行状态为 unknown）；请先处理：license-sync resolve {run} --row {row}',
  },
  'ledger.emptied': {
    en: 'the ledger {location} is empty although earlier runs left their inputs in {inputs}: it was cut off or emptied. Put it back from a backup; if no order may have been sent before, move both away. Nothing was sent.',
    zh: '账本 {location} 为空，但 {inputs} 中存有先前运行的输入：账本已被截断或清空。请从备份恢复；若确定此前没有发送过任何订单，请将两者移走。未发送任何内容。',
  },
} as const;
