import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { nearest } from '../../util/name-match.js';
import { type LineEnds, survey } from './byte-survey.js';
import { readText } from './file-text.js';

/**
 * The 500 most frequent characters of simplified Chinese, and those of names, companies and places. Text decoded with
 * the wrong encoding contains them only by chance (about one in eight), real text contains them in every second
 * character.
 */
const FREQUENT = new Set(
  '的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支般史感劳便团往酸历市克何除消构府称太准精值号率族维划选标写存候毛亲快效斯院查江型眼王按格养易置派层片始却专状育厂京识适属圆包火住调满县局照参红细引听该铁价严' +
    // Characters of orders and customers, which are rare in prose.
    '客户订编码址款额备注姓电话手机邮箱限司授锁版软购续费到期激描述财税票库销服签密钥陈李刘杨赵黄吴孙徐朱胡郭何罗梁宋郑谢韩唐冯董沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范姚谭廖邹熊陆郝孔崔康邱秦顾侯邵孟龙万雷钱汤尹黎' +
    '伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛明超兰霞平刚桂志华玉萍红玲辉鹏飞鑫宇浩轩然梓涵欣怡雨晨佳琪嘉颖婷雪梅琳燕莉凤洁倩云莲真环荣爱妹香莺媛瑞凡瑾璐璇薇菲翔旭斌博俊峰宁楠晓虎豪毅诚康亮谦' +
    '亨奇固轮朗伯宏言若朋栋维克伦泽辰士树炎德泰盛雄琛钧冠策腾榕风航弘春夏秋冬松柏竹菊珍珠莎仪君文武双慧巧美娥蓉眉卿聪园勤贞叶璧昭纨岚苑婕馨瑗韵融艺咏聿纯毓悦冰爽琬茗羽希欢飘滢柔姣彩柳丹' +
    '青彬富顺信杨坚庆东海贤欧阳司马诸葛上官尉迟左石崔吉龚程严尤许施章奚范潘鲁韦昌苗花俞鲍史费岑滕罗毕安乐时傅齐伍余元卜穆尹屈项祝董梁杜阮蓝闵席季麻贾路娄危江童颜郭林刁钟丘骆高蔡田樊胡霍' +
    '虞支柯管莫经房裘解应宗丁宣邓郁单杭洪包钮牛常乔贺赖聂晏瞿阎覃京津沪渝冀晋辽黑苏浙皖闽赣豫鄂湘粤琼川贵滇藏陕甘疆台港澳深圳温绍湖甬厦泉漳福莆景九济烟潍威淄枣临郑洛焦汉宜襄荆黄长株岳衡' +
    '佛莞惠汕韶南三成绵昆曲遵咸宝银呼沈鞍抚锦哈牡州县镇乡村街巷号楼室科技软息网络电子工建筑设计院咨询造价监理集团股份实贸易投资顾问服务事所审税物业装饰材料机械备医药汽车运输食品酒店旅游' +
    '传媒广告印刷器保能源矿钢铁油化学研究协会校局处部门分公厂站中心总主任负责联系操作员复核批准状态有效无废启用停合同议发票开户行账金额折扣赠送试正式续借归还换升级版模块节点并旧丢失损坏遗换补领退弃',
);

/** Fewer Chinese characters than this are too few for shares. */
const FEW = 12;

const HANZI_1 = 1;
const HANZI_2 = 2;
const PUNCTUATION = 4;
const KANA = 8;
/** Lead byte of the later half of level 1 (C9 to D7), which Korean in EUC-KR never has. */
const LATE = 16;
/** Both bytes are C0 or above, as in all pairs of European letters. */
const HIGH = 32;

let kinds: Uint8Array | undefined;

/** The kind of each UTF-16 unit in GB2312, built by decoding the whole table. */
function kindTable(): Uint8Array {
  if (kinds) return kinds;
  kinds = new Uint8Array(0x10000);
  const decoder = new TextDecoder('gb18030');
  for (let lead = 0xa1; lead <= 0xf7; lead += 1) {
    let kind = 0;
    if (lead <= 0xa3) kind = PUNCTUATION;
    else if (lead <= 0xa5) kind = KANA;
    else if (lead >= 0xd8) kind = HANZI_2;
    else if (lead >= 0xb0) kind = HANZI_1 | (lead >= 0xc9 ? LATE : 0);
    if (kind === 0) continue;
    for (let trail = 0xa1; trail <= 0xfe; trail += 1) {
      const text = decoder.decode(Uint8Array.of(lead, trail));
      const high = lead >= 0xc0 && trail >= 0xc0 ? HIGH : 0;
      if (text.length === 1) kinds[text.charCodeAt(0)] = kind | high;
    }
  }
  return kinds;
}

/**
 * Distinguishes Chinese text from text of another encoding that decodes to nonsense as GB18030: nearly every pair of
 * high bytes is some Chinese character, so decoding alone proves nothing.
 */
class ChinesePlausibility {
  readonly #kinds = kindTable();
  #level1 = 0;
  #level2 = 0;
  #punctuation = 0;
  #kana = 0;
  #late = 0;
  #high = 0;
  #rare = 0;
  #frequent = 0;

  add(text: string): void {
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit < 0x80) continue;
      const kind = this.#kinds[unit]!;
      if (kind & HANZI_1) this.#level1 += 1;
      else if (kind & HANZI_2) this.#level2 += 1;
      else if (kind & PUNCTUATION) this.#punctuation += 1;
      else if (kind & KANA) this.#kana += 1;
      else if (unit < 0xdc00 || unit > 0xdfff) this.#rare += 1;
      if (kind & LATE) this.#late += 1;
      if (kind & HIGH) this.#high += 1;
      if (kind & (HANZI_1 | HANZI_2) && FREQUENT.has(text[index]!)) this.#frequent += 1;
    }
  }

  /**
   * Decided by the share of common characters; a few characters (one name) have separate rules. If uncertain, the text
   * is rejected: that costs the user one word in the job, while a wrong guess sends wrong names.
   */
  get plausible(): boolean {
    const hanzi = this.#level1 + this.#level2;
    const all = hanzi + this.#punctuation + this.#kana + this.#rare;
    if (hanzi === 0) return false;
    if (hanzi < FEW) return this.#fewPlausible(hanzi);
    // Latin, Big5 and Shift JIS have many pairs outside GB2312; names and places have a few.
    if (this.#rare > all * 0.15) return false;
    if (this.#kana > all * 0.05) return false;
    if (this.#level1 + this.#punctuation < all * 0.6) return false;
    // All pairs of Cyrillic letters are high. So may be the few words of a Chinese sheet, but those are frequent ones
    // (网络锁).
    if (this.#high > hanzi * 0.85) return this.#frequent >= hanzi * 0.75;
    if (this.#level1 >= 6 && this.#late < this.#level1 * 0.08) return false;
    return this.#frequent >= hanzi * 0.25;
  }

  /**
   * The same for text that is also valid UTF-8. The alternatives are words in Cyrillic, Greek, Hebrew or Arabic
   * letters; read as GB18030, these are rare characters.
   */
  get common(): boolean {
    const hanzi = this.#level1 + this.#level2;
    if (this.#rare * 2 > this.#frequent || this.#level1 * 2 < hanzi) return false;
    return hanzi > 0 && this.#frequent >= hanzi * 0.34;
  }

  #fewPlausible(hanzi: number): boolean {
    // A name may contain a rare character; text of other encodings contains little else.
    if (this.#kana > 0 || this.#rare * 2 > this.#frequent) return false;
    // All pairs of Cyrillic letters are high, and few Chinese texts of four characters are.
    if (hanzi >= 4 && this.#high === hanzi) return this.#frequent >= hanzi * 0.75;
    // All of Korean is in the first half of level 1.
    const couldBeKorean = this.#late === 0 && this.#level2 === 0;
    return this.#frequent >= hanzi * (couldBeKorean ? 0.5 : 0.34);
  }
}

interface FoundEncoding {
  /** A label of the Encoding standard. */
  readonly encoding: string;
  readonly nul: boolean;
  readonly lineEnds: LineEnds;
  readonly warnings: readonly Message[];
}

const BOMS: readonly { readonly encoding: string; readonly bytes: readonly number[] }[] = [
  // UTF-32LE begins like UTF-16LE, so it comes first.
  { encoding: 'utf-32', bytes: [0xff, 0xfe, 0x00, 0x00] },
  { encoding: 'utf-32', bytes: [0x00, 0x00, 0xfe, 0xff] },
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
  { encoding: 'gb18030', bytes: [0x84, 0x31, 0x95, 0x33] },
];

/** Common names that the Encoding standard does not have. */
const ALIASES = new Map([
  ['utf-8-sig', 'utf-8'],
  ['cp936', 'gbk'],
  ['ms936', 'gbk'],
  ['cp950', 'big5'],
  ['cp949', 'euc-kr'],
  ['cp932', 'shift_jis'],
  ['cp1250', 'windows-1250'],
  ['utf-16-le', 'utf-16le'],
  ['utf-16-be', 'utf-16be'],
]);

const KNOWN = (
  'utf-8 utf-16le utf-16be gb18030 gbk gb2312 big5 shift_jis euc-jp euc-kr latin1 iso-8859-1 iso-8859-2 ' +
  'iso-8859-7 iso-8859-15 windows-1250 windows-1251 windows-1252 windows-1253 koi8-r'
).split(' ');

/**
 * The encoding of a text file, from all of its bytes, in bounded memory. A byte order mark has priority over the
 * encoding that the job names. A file of uncertain encoding is rejected, never guessed: a wrong guess sends wrong
 * names.
 * @param requested `auto` or an encoding name
 */
export async function findEncoding(file: string, requested: string): Promise<FoundEncoding> {
  const named = requested === 'auto' ? undefined : knownEncoding(file, requested);
  const seen = await survey(file);
  const bom = BOMS.find(({ bytes }) => bytes.every((byte, index) => seen.head[index] === byte));
  if (bom?.encoding === 'utf-32') throw refusal('source.csv_utf32', file);
  const encoding = bom?.encoding ?? named ?? (seen.utf16 || 'utf-8');
  const { lineEnds } = seen;
  if (encoding === 'utf-8') {
    if (seen.utf8Fault === undefined) {
      if (!bom && !named && seen.mayBeGbk && (await isCommonChinese(file)))
        throw refusal('source.csv_encoding_both', file);
      return { encoding, nul: seen.nul, lineEnds, warnings: [] };
    }
    if (bom ?? named) {
      const offset = seen.utf8Fault;
      throw new ProductError('input', message('source.csv_undecodable', { file, encoding: 'utf-8', offset }));
    }
    const nul = await checkChinese(file);
    const warnings = [message('source.csv_encoding_taken', { file, encoding: 'GB18030' })];
    return { encoding: 'gb18030', nul, lineEnds, warnings };
  }
  let nul = false;
  for await (const text of readText(file, encoding)) nul ||= text.includes('\0');
  // The survey examined single bytes, which says nothing about line ends of two bytes.
  const ends = encoding.startsWith('utf-16') ? 'mixed' : lineEnds;
  return { encoding, nul, lineEnds: ends, warnings: [] };
}

function refusal(
  code: 'source.csv_utf32' | 'source.csv_encoding_unclear' | 'source.csv_encoding_both',
  file: string,
): ProductError {
  return new ProductError('input', message(code, { file }));
}

/** @throws ProductError usage if there is no such encoding. */
function knownEncoding(file: string, requested: string): string {
  const plain = requested.trim().toLowerCase();
  const label = ALIASES.get(plain.replaceAll('_', '-')) ?? plain;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    const near = nearest(plain, KNOWN);
    const params = { file, encoding: requested };
    throw new ProductError(
      'usage',
      near === undefined
        ? message('source.csv_encoding_far', { ...params, known: KNOWN.slice(0, 6).join(', ') })
        : message('source.csv_encoding_unknown', { ...params, near }),
    );
  }
}

async function checkChinese(file: string): Promise<boolean> {
  const plausibility = new ChinesePlausibility();
  let nul = false;
  try {
    for await (const text of readText(file, 'gb18030')) {
      plausibility.add(text);
      nul ||= text.includes('\0');
    }
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    throw refusal('source.csv_encoding_unclear', file);
  }
  if (!plausibility.plausible) throw refusal('source.csv_encoding_unclear', file);
  return nul;
}

/** Whether text that is valid UTF-8 is common Chinese when it is read as GB18030. */
async function isCommonChinese(file: string): Promise<boolean> {
  const plausibility = new ChinesePlausibility();
  try {
    for await (const text of readText(file, 'gb18030')) plausibility.add(text);
  } catch (error) {
    if (error instanceof ProductError) return false;
    throw error;
  }
  return plausibility.common;
}
