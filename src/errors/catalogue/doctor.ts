/** Texts of `doctor`: what was found, and what to do. `zh` carries the same {names} as `en`. */
export const DOCTOR = {
  'doctor.configuration': { en: 'read {file}', zh: '已读取 {file}' },
  'doctor.no_configuration': {
    en: 'there is no license-sync.yaml here or above; the built-in sandbox and the environment give the connections',
    zh: '此处及上级文件夹中没有 license-sync.yaml；使用内置沙盒和环境变量提供的连接',
  },
  'doctor.job': { en: '{file}: job {name}, {operation}', zh: '{file}：任务 {name}，{operation}' },
  'doctor.connection': { en: '{name} at {address}', zh: '{name}，地址 {address}' },
  'doctor.connection_sandbox': {
    en: '{name}: the simulated platform (SANDBOX)',
    zh: '{name}：模拟平台（SANDBOX）',
  },
  'doctor.no_app_key': {
    en: '{name} at {address} has no appKey; orders need one (§4.5). Add appKey to the connection before sending orders',
    zh: '{name}（地址 {address}）没有 appKey；发送订单需要它（§4.5）。请先在连接中添加 appKey',
  },
  'doctor.ledger': { en: '{ledger} is sound and yours alone', zh: '{ledger} 完好，且仅您本人可访问' },
  'doctor.ledger_server': {
    en: '{ledger} can be used, and its server keeps what it was given',
    zh: '{ledger} 可用，且其服务器会可靠保存写入的内容',
  },
  'doctor.ledger_no_marks': {
    en: 'this user has no marks of the ledger {ledger}: a copy that was restored before the first run from here cannot be noticed (a PostgreSQL ledger is still compared with the database it was in)',
    zh: '当前用户没有账本 {ledger} 的标记：无法发现在此处首次运行之前恢复的旧副本（PostgreSQL 账本仍会与其原数据库比较）',
  },
  'doctor.ledger_fsync_off': {
    en: 'the server of {ledger} has fsync off: a power failure there may lose orders that were sent, and they would be sent again; set fsync = on',
    zh: '{ledger} 的服务器关闭了 fsync：断电可能丢失已发送订单的记录并导致重复发送；请设置 fsync = on',
  },
  'doctor.ledger_asynchronous': {
    en: 'the standbys of {ledger} are all asynchronous: one that takes over may lack the last orders that were sent; name one in synchronous_standby_names',
    zh: '{ledger} 的备用服务器均为异步：接替后可能缺少最后发送的订单记录；请在 synchronous_standby_names 中指定一个同步备用服务器',
  },
  'doctor.no_ledger': {
    en: '{ledger} is not there yet; the first run makes it',
    zh: '{ledger} 尚不存在；首次运行时会创建',
  },
  'doctor.ledger_unwritable': {
    en: '{ledger} cannot be written; get the right to write to {folder} and to the ledger, or set `ledger` in license-sync.yaml to another place',
    zh: '无法写入 {ledger}；请取得对 {folder} 及账本的写入权限，或在 license-sync.yaml 中将 ledger 设为其他位置',
  },
  'doctor.state_open': {
    en: 'other users can get at {count} of the files in {folder} ({files}), which hold customers’ data; close them: chmod -R go= on them',
    zh: '其他用户可以访问 {folder} 中的 {count} 个文件（{files}），其中含有客户数据；请关闭其权限：对它们执行 chmod -R go=',
  },
  'doctor.token_sandbox': { en: 'the sandbox needs none', zh: '沙盒不需要令牌' },
  'doctor.token_env': {
    en: 'found in the environment variable {name} ({length} characters)',
    zh: '已在环境变量 {name} 中找到（{length} 个字符）',
  },
  'doctor.token_file': {
    en: 'read from {path}, which is yours alone ({length} characters)',
    zh: '已从 {path} 读取，该文件仅您本人可访问（{length} 个字符）',
  },
  'doctor.token_command': {
    en: 'given by the command {program} ({length} characters)',
    zh: '由命令 {program} 给出（{length} 个字符）',
  },
  'doctor.name_is_address': { en: '{host} is an address; no name to look up', zh: '{host} 是地址，无需解析' },
  'doctor.name': {
    en: '{host} is {addresses} ({ms} ms)',
    zh: '{host} 解析为 {addresses}（{ms} 毫秒）',
  },
  'doctor.name_unknown': {
    en: 'the name {host} cannot be resolved ({detail}); check the spelling in baseUrl, the network (VPN?) and the DNS server',
    zh: '无法解析主机名 {host}（{detail}）；请检查 baseUrl 的拼写、网络（VPN？）和 DNS 服务器',
  },
  'doctor.port': {
    en: '{host} port {port} takes connections ({ms} ms)',
    zh: '{host} 的端口 {port} 可以连接（{ms} 毫秒）',
  },
  'doctor.port_refused': {
    en: '{host} refuses connections at port {port} ({detail}); check the port in baseUrl, and whether the platform is up',
    zh: '{host} 的端口 {port} 拒绝连接（{detail}）；请检查 baseUrl 中的端口，以及平台是否正常运行',
  },
  'doctor.port_unreachable': {
    en: '{host} port {port} cannot be reached ({detail}); check the network, the firewall, and whether the platform lets this machine in',
    zh: '无法到达 {host} 的端口 {port}（{detail}）；请检查网络、防火墙，以及平台是否允许本机访问',
  },
  'doctor.port_proxy': {
    en: '{host} port {port} cannot be reached ({detail}). A proxy is set in the environment, but this program connects directly: let this machine out to {host}',
    zh: '无法到达 {host} 的端口 {port}（{detail}）。环境中设置了代理，但本程序直接连接：请允许本机直接访问 {host}',
  },
  'doctor.http_local': {
    en: 'http on this machine; there is no certificate to check',
    zh: '本机 http 连接，无需检查证书',
  },
  'doctor.http_open': {
    en: 'http: the token goes to {host} unprotected (allowInsecureHttp); use https:// if the platform has it',
    zh: 'http：令牌以明文发送到 {host}（allowInsecureHttp）；如平台支持，请改用 https://',
  },
  'doctor.tls_failed': {
    en: '{host} answers, but makes no secure connection ({detail}); check that the port in baseUrl is the https one and that nothing stands between',
    zh: '{host} 有响应，但无法建立安全连接（{detail}）；请确认 baseUrl 中的端口是 https 端口，且中间没有其他设备拦截',
  },
  'doctor.certificate': {
    en: 'the certificate of {host} holds from {from} until {until} (issued by {issuer}; {protocol})',
    zh: '{host} 的证书有效期为 {from} 至 {until}（颁发者 {issuer}；{protocol}）',
  },
  'doctor.certificate_ends': {
    en: 'the certificate of {host} (from {from}) ends on {until}, in {days} days; tell whoever runs the platform',
    zh: '{host} 的证书（自 {from} 起）将于 {until} 到期，还剩 {days} 天；请通知平台管理员',
  },
  'doctor.certificate_expired': {
    en: 'the certificate of {host} (from {from}) ended on {until}; check this machine’s date, and tell whoever runs the platform',
    zh: '{host} 的证书（自 {from} 起）已于 {until} 到期；请检查本机日期，并通知平台管理员',
  },
  'doctor.certificate_early': {
    en: 'the certificate of {host} only holds from {from} (until {until}); this machine’s date is probably wrong',
    zh: '{host} 的证书从 {from} 才开始生效（至 {until}）；本机日期可能不正确',
  },
  'doctor.certificate_other_name': {
    en: 'the certificate shown for {host} is of another host ({names}); check baseUrl, and whether something stands between',
    zh: '{host} 出示的证书属于其他主机（{names}）；请检查 baseUrl，以及中间是否有设备拦截',
  },
  'doctor.certificate_untrusted': {
    en: 'the certificate of {host} is not trusted ({detail}). If it is of a private authority, set NODE_EXTRA_CA_CERTS to that authority’s certificate file',
    zh: '{host} 的证书不受信任（{detail}）。如由私有机构颁发，请将 NODE_EXTRA_CA_CERTS 设为该机构的证书文件',
  },
  'doctor.request': {
    en: 'the platform answered in {ms} ms; token and scope auth_order are accepted',
    zh: '平台在 {ms} 毫秒内应答；令牌和权限 auth_order 均被接受',
  },
  'doctor.slow': {
    en: 'the platform answered, and accepts token and scope auth_order, but took {ms} ms; set run.timeout with room to spare',
    zh: '平台已应答，并接受令牌和权限 auth_order，但耗时 {ms} 毫秒；请将 run.timeout 设得宽裕一些',
  },
  'doctor.request_refused': {
    en: 'the platform answered in {ms} ms and accepts the token; the made-up question itself it refused, as it may (code {code}: {text})',
    zh: '平台在 {ms} 毫秒内应答并接受令牌；它拒绝了这个虚构的查询，属正常情况（代码 {code}：{text}）',
  },
  'doctor.token_refused': {
    en: 'the platform does not accept the token (HTTP 401); renew it where the connection takes it from, as the whole token and nothing else',
    zh: '平台不接受该令牌（HTTP 401）；请在连接所用的位置更新令牌，内容应为完整的令牌且不含其他字符',
  },
  'doctor.scope_missing': {
    en: 'the platform denies access (HTTP 403); the application needs the approved scope auth_order: apply for it, or check that the token is of the right application',
    zh: '平台拒绝访问（HTTP 403）；应用需要已获批准的权限 auth_order：请申请该权限，或确认令牌属于正确的应用',
  },
  'doctor.proxy_answers': {
    en: 'a proxy asks for a login of its own (HTTP 407), so the platform was not reached; let this machine out to the platform directly',
    zh: '代理要求自身的登录（HTTP 407），因此未到达平台；请允许本机直接访问平台',
  },
  'doctor.web_page': {
    en: 'a web page answers (HTTP {status}), not the platform; check baseUrl, and whether a login page, a proxy or a VPN stands between',
    zh: '应答的是网页（HTTP {status}），而不是平台；请检查 baseUrl，以及中间是否有登录页面、代理或 VPN',
  },
  'doctor.wrong_path': {
    en: 'something answers, but does not know the order service (HTTP {status}); check the path of baseUrl: /order/api/… is added to it',
    zh: '有服务应答，但不是订单服务（HTTP {status}）；请检查 baseUrl 的路径：程序会在其后加上 /order/api/…',
  },
  'doctor.redirected': {
    en: 'the answer is a redirect (HTTP {status}) to {location}, which is never followed; set baseUrl to the address that answers itself',
    zh: '应答为重定向（HTTP {status}）到 {location}，程序不会跟随；请将 baseUrl 设为直接应答的地址',
  },
  'doctor.busy': {
    en: 'the platform was reached in {ms} ms but asks to come back later ({what}); try again in a while',
    zh: '平台在 {ms} 毫秒内应答，但要求稍后重试（{what}）；请过一会儿再试',
  },
  'doctor.no_answer': {
    en: 'the platform gave no answer that can be understood',
    zh: '平台未给出可理解的应答',
  },
  'doctor.clock': {
    en: 'this machine’s clock and the platform’s agree (within {seconds} s)',
    zh: '本机时钟与平台时钟一致（相差 {seconds} 秒以内）',
  },
  'doctor.clock_ahead': {
    en: 'this machine’s clock is {seconds} s ahead of the platform’s; set it by a time server, as tokens and dates depend on it',
    zh: '本机时钟比平台快 {seconds} 秒；请与时间服务器同步，令牌和日期都依赖时钟',
  },
  'doctor.clock_behind': {
    en: 'this machine’s clock is {seconds} s behind the platform’s; set it by a time server, as tokens and dates depend on it',
    zh: '本机时钟比平台慢 {seconds} 秒；请与时间服务器同步，令牌和日期都依赖时钟',
  },
  'doctor.no_clock': {
    en: 'the answer does not say what time it is there',
    zh: '应答中没有平台的时间',
  },
  'doctor.activity_scope': {
    en: 'the scope auth_activity can only be tried by taking part in an activity, so it was not; a dry run does not show it either',
    zh: '权限 auth_activity 只有实际参加活动才能验证，因此未检查；试运行也无法验证',
  },
  'doctor.unreached': { en: 'not reached', zh: '未执行到' },
  'doctor.all_well': { en: 'all is well', zh: '一切正常' },
  'doctor.warnings': { en: 'usable, with warnings: {count}', zh: '可以使用，警告数：{count}' },
  'doctor.faults': { en: 'not usable yet, faults: {count}', zh: '尚不可用，故障数：{count}' },
} as const;
