/** Texts of platform: what is wrong, where, and what would be right. `zh` carries the same {names} as `en`. */
export const PLATFORM = {
  'platform.given_up': {
    en: 'asked in vain, and not again because the run was stopped',
    zh: '询问未得到答复；由于运行已停止，不再重试',
  },
  'platform.base_url': {
    en: 'connection {connection}: baseUrl is not an address of the form https://host or https://host/path (without user name, "?" or "#")',
    zh: '连接 {connection}：baseUrl 不是形如 https://主机 或 https://主机/路径 的地址（不能含用户名、“?”或“#”）',
  },
  'platform.insecure_http': {
    en: 'connection {connection}: http://{host} would send the token unprotected; use https://, or say allowInsecureHttp: true where that is really meant',
    zh: '连接 {connection}：http://{host} 会以明文发送令牌；请改用 https://，如确需如此请设置 allowInsecureHttp: true',
  },
  'platform.tls_unverified': {
    en: 'NODE_TLS_REJECT_UNAUTHORIZED=0 makes Node accept any certificate, so the token could go to anyone; unset it. For a private certificate authority set NODE_EXTRA_CA_CERTS to its file.',
    zh: 'NODE_TLS_REJECT_UNAUTHORIZED=0 会让 Node 接受任何证书，令牌可能泄露；请取消该设置。如使用私有证书颁发机构，请将 NODE_EXTRA_CA_CERTS 设为其证书文件。',
  },
  'platform.token_env': {
    en: 'connection {connection}: the environment variable {name} that should hold the token is not set or empty',
    zh: '连接 {connection}：应存放令牌的环境变量 {name} 未设置或为空',
  },
  'platform.token_file': {
    en: 'connection {connection}: no token could be read from the file {path} ({reason}); it must exist and hold the token alone',
    zh: '连接 {connection}：无法从文件 {path} 读取令牌（{reason}）；该文件必须存在且只包含令牌',
  },
  'platform.token_file_open': {
    en: 'connection {connection}: other users can get at the token file {path}; make it yours alone: chmod 600',
    zh: '连接 {connection}：其他用户可以访问令牌文件 {path}；请限制为仅本人可读写：chmod 600',
  },
  'platform.token_command': {
    en: 'connection {connection}: the token command {program} gave no token ({reason}); it must print the token on standard output within 30 seconds and end with code 0',
    zh: '连接 {connection}：令牌命令 {program} 未给出令牌（{reason}）；它必须在 30 秒内将令牌打印到标准输出并以代码 0 结束',
  },
  'platform.token_not_renewed': {
    en: '{refused}. The token was requested again: {why}',
    zh: '{refused}。已再次获取令牌：{why}',
  },
  'platform.token_json': {
    en: 'connection {connection}: what {place} gives is JSON or a text in quotes, not a token; only the token itself is allowed, without quotes (in JSON, usually the value of access_token)',
    zh: '连接 {connection}：{place} 给出的是 JSON 或带引号的文本，不是令牌；只能是令牌本身，不带引号（在 JSON 中通常是 access_token 的值）',
  },
  'platform.token_assignment': {
    en: 'connection {connection}: what {place} gives is of the form NAME=value, not a token; only the value after the equals sign is allowed',
    zh: '连接 {connection}：{place} 给出的是“名称=值”，不是令牌；只能是等号后面的值',
  },
  'platform.token_encoding': {
    en: 'connection {connection}: the token file {path} is saved as {encoding}; save it as plain text (UTF-8 without BOM) that contains the token alone',
    zh: '连接 {connection}：令牌文件 {path} 保存为 {encoding}；请另存为纯文本（不带 BOM 的 UTF-8），且只包含令牌',
  },
  'platform.token_malformed': {
    en: 'connection {connection}: what {place} gives is not a token: it holds spaces, line breaks or other characters that no token has (the word "Bearer" does not belong to it)',
    zh: '连接 {connection}：{place} 给出的内容不是令牌：其中含有空格、换行或令牌不会有的其他字符（不要包含“Bearer”一词）',
  },
  'platform.unsent_dns': {
    en: 'not sent: the host name of the platform could not be resolved ({detail})',
    zh: '未发送：无法解析平台的主机名（{detail}）',
  },
  'platform.unsent_refused': {
    en: 'not sent: the platform could not be reached ({detail})',
    zh: '未发送：无法连接到平台（{detail}）',
  },
  'platform.unsent_tls': {
    en: 'not sent: no secure connection could be made ({detail}); what to do about it says: license-sync doctor',
    zh: '未发送：无法建立安全连接（{detail}）；处理办法见：license-sync doctor',
  },
  'platform.unsent_timeout': {
    en: 'not sent: no connection within the time allowed ({detail})',
    zh: '未发送：未能在限定时间内建立连接（{detail}）',
  },
  'platform.unsent_aborted': {
    en: 'not sent: the run was stopped before it left',
    zh: '未发送：运行在发出之前已停止',
  },
  'platform.unsent_unsendable': {
    en: 'not sent: a value in it cannot stand in a request address ({detail})',
    zh: '未发送：其中某个值不能用于请求地址（{detail}）',
  },
  'platform.unsent_other': {
    en: 'not sent: the connection failed ({detail})',
    zh: '未发送：连接失败（{detail}）',
  },
  'platform.lost_timeout': {
    en: 'sent, but no complete reply came within the time allowed ({detail})',
    zh: '已发送，但在限定时间内未收到完整回复（{detail}）',
  },
  'platform.lost_reset': {
    en: 'sent, but the connection broke before a reply came ({detail})',
    zh: '已发送，但在收到回复之前连接中断（{detail}）',
  },
  'platform.lost_truncated': {
    en: 'sent, but the reply broke off before its end ({detail})',
    zh: '已发送，但回复不完整（{detail}）',
  },
  'platform.lost_oversize': {
    en: 'sent, but the reply is too large to be one ({detail})',
    zh: '已发送，但回复过大（{detail}）',
  },
  'platform.lost_headers': {
    en: 'sent, but the headers of the reply are larger than 16 KB, so the reply was not read ({detail}); a proxy or the platform sends too many or too long headers, often cookies',
    zh: '已发送，但响应的标头超过 16 KB，因此未读取响应（{detail}）；代理或平台发送的标头过多或过长（常见为 Cookie）',
  },
  'platform.lost_undecodable': {
    en: 'sent, but the reply cannot be decoded ({detail})',
    zh: '已发送，但回复无法解码（{detail}）',
  },
  'platform.lost_aborted': {
    en: 'sent, but the program was stopped before a reply came',
    zh: '已发送，但在收到回复之前程序被终止',
  },
  'platform.lost_other': {
    en: 'sent, but no reply could be read ({detail})',
    zh: '已发送，但无法读取回复（{detail}）',
  },
  'platform.not_json': {
    en: 'sent, but the reply is not JSON ({detail})',
    zh: '已发送，但回复不是 JSON（{detail}）',
  },
  'platform.wrong_shape': {
    en: 'sent, but the reply is not of the expected form: {detail}',
    zh: '已发送，但回复的格式不符合预期：{detail}',
  },
  'platform.conflicting_member': {
    en: 'sent, but the reply has "{name}" twice with different values, so none of it counts',
    zh: '已发送，但回复中“{name}”出现两次且值不同，因此整个回复均不予采信',
  },
  'platform.refused_and_done': {
    en: 'sent, but the reply contradicts itself: it refuses the request ({refusal}) and shows that it was executed ({proof}). Ask the operator of the platform before you send it again.',
    zh: '已发送，但回复自相矛盾：它既拒绝了请求（{refusal}），又表明请求已被执行（{proof}）。再次发送前请先与平台方核实。',
  },
  'platform.no_data': {
    en: 'the platform reports success but returned no data',
    zh: '平台报告成功，但未返回数据',
  },
  'platform.missing_in_reply': {
    en: 'sent, but the reply says nothing of it, or contradicts itself',
    zh: '已发送，但回复中没有该项，或回复前后矛盾',
  },
  'platform.said': { en: '{text}', zh: '{text}' },
  'platform.said_cause': { en: '{text} (cause: {cause})', zh: '{text}（原因：{cause}）' },
  'platform.refused_silently': {
    en: 'the platform refused it with code {code} and no words',
    zh: '平台以代码 {code} 拒绝，未给出说明',
  },
  'platform.busy': {
    en: 'the platform asked to retry later (code 500): {text}',
    zh: '平台要求稍后重试（代码 500）：{text}',
  },
  'platform.http_error': {
    en: 'sent, but the platform answered with HTTP {status}: {text}',
    zh: '已发送，但平台返回 HTTP {status}：{text}',
  },
  'platform.http_rejected': {
    en: 'the platform refused the request with HTTP {status}: {text}',
    zh: '平台以 HTTP {status} 拒绝了请求：{text}',
  },
  'platform.asked_to_wait': {
    en: 'the platform turned it away and asked to wait ({asked}); nothing was carried out',
    zh: '平台未受理并要求等待（{asked}）；未执行任何操作',
  },
  'platform.patience_over': {
    en: 'the platform replied {asked}, and waiting for it longer than run.patience ({patience}) is not allowed',
    zh: '平台返回 {asked}，等待时间超过了 run.patience（{patience}）',
  },
  'platform.unauthorized': {
    en: 'the platform did not accept the token (HTTP 401): {text}. Renew the token where the connection takes it from',
    zh: '平台不接受该令牌（HTTP 401）：{text}。请在连接所用的位置更新令牌',
  },
  'platform.forbidden': {
    en: 'the platform denied access (HTTP 403): {text}. The application needs the approved scope {scope}',
    zh: '平台拒绝访问（HTTP 403）：{text}。应用需要已获批准的权限 {scope}',
  },
  'platform.redirected': {
    en: 'the platform answered with a redirect (HTTP {status}, to {location}), which is never followed. Check baseUrl of the connection',
    zh: '平台返回了重定向（HTTP {status}，指向 {location}），程序不会跟随。请检查连接的 baseUrl',
  },
  'platform.token_withheld': {
    en: 'the command that gives the token of connection {connection} is not kept with a run; put the connection back into license-sync.yaml',
    zh: '运行不会保存获取连接 {connection} 令牌的命令；请在 license-sync.yaml 中恢复该连接',
  },
} as const;
