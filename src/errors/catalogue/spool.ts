/** Texts of spool: replies that lie on this machine while their ledger can't be reached. `zh` carries the same {names} as `en`. */
export const SPOOL = {
  'spool.kept': {
    en: 'the ledger could not be reached any more, so {count} replies are kept in {file}; the next command on this machine that opens the ledger takes them in. Until then leave the file where it is.',
    zh: '账本已无法连接，因此 {count} 条回复保存在 {file} 中；本机上下一个打开该账本的命令会将其写入账本。在此之前请勿移动该文件。',
  },
  'spool.ledger_lost': {
    en: 'the ledger {location} could not be reached for longer than ledgerPatience ({reason}), so nothing more is sent. What was answered meanwhile is kept in {file}; once the server is back, go on with: license-sync resume {run}',
    zh: '账本 {location} 无法连接的时间超过 ledgerPatience（{reason}），因此不再发送任何内容。此间收到的回复保存在 {file} 中；服务器恢复后请继续执行：license-sync resume {run}',
  },
  'spool.refused': {
    en: 'the ledger {location} does not know attempt {attempt} of batch {batch} of run {run}, though it was sent and answered: its server may have lost what was written last. The reply is kept in {file}; look there before you send the rows of this batch again',
    zh: '账本 {location} 中没有运行 {run} 的批次 {batch} 的第 {attempt} 次尝试，但该请求已发送并得到回复：其服务器可能丢失了最后写入的内容。回复保存在 {file} 中；再次发送该批次的行之前请先查看该文件',
  },
  'spool.unwritable': {
    en: 'the ledger {location} could not be reached, and {file} could not be written either ({reason}): {count} replies of run {run} are not stored anywhere. They are listed here; save this output. resume shows their rows as unknown: resolve them by it (license-sync resolve {run})',
    zh: '账本 {location} 无法连接，且 {file} 也无法写入（{reason}）：运行 {run} 的 {count} 条响应未能保存，已在此列出；请保存以上输出。resume 后对应的行将显示为结果未知，请据此核实（license-sync resolve {run}）',
  },
  'spool.reply_lost': {
    en: 'not stored: run {run}, batch {batch}, attempt {attempt}: {reply}',
    zh: '未保存：运行 {run}，批次 {batch}，第 {attempt} 次请求：{reply}',
  },
  'spool.taken_in': {
    en: '{count} replies that were kept in {file} while the ledger could not be reached are in it now; the file was removed',
    zh: '账本无法连接期间保存在 {file} 中的 {count} 条回复现已写入账本；该文件已删除',
  },
  'spool.damaged': {
    en: '{file} keeps replies for the ledger and is damaged: {count} of its lines could not be read, so it was left where it is; what could be read is in the ledger now',
    zh: '{file} 中保存着待写入账本的回复，但已损坏：其中 {count} 行无法读取，因此文件原样保留；可读取的部分现已写入账本',
  },
  'spool.foreign': {
    en: '{file} keeps replies of runs that the ledger {location} does not know; it was left where it is. They belong to the ledger {other}.',
    zh: '{file} 中保存着账本 {location} 所不知道的运行的回复，文件原样保留。它们属于账本 {other}。',
  },
  'spool.not_taken_in': {
    en: '{file} keeps replies that the ledger did not take ({reason}); it was left where it is, and the next command tries again',
    zh: '{file} 中保存的回复未能写入账本（{reason}）；文件原样保留，下一个命令会重试',
  },
} as const;
